import type { Read } from '@cadastre/nrtm';
import type { Logger } from '@cadastre/service';
import type { Classes } from './classes.js';

/** How a copy gets the changes of its registry. */
export type OriginKind = 'nrtm4' | 'nrtm3' | 'dump';

/**
 * The source of the changes of one copy. The framework (`follow-source.ts`) calls `update` repeatedly: at intervals of
 * at least `everyMs`, in one replica at a time, after a fault with growing delays.
 */
export interface Origin {
  readonly kind: OriginKind;
  /** A URL, or "host:port", without credentials. */
  readonly address: string;
  /** The name of the source in its registry. */
  readonly originSource: string;
  /** Whether it is in the operator's own network. */
  readonly ownNetwork: boolean;
  /** The classes of objects that the copy has: another set needs a whole load. */
  readonly classes: Classes;
  /** What operators should know of this configuration, each a sentence without a full stop. */
  readonly warnings: readonly string[];
  /** Minimum time between the starts of two updates in ms. */
  readonly everyMs: number;
  /**
   * Brings the copy up to date once.
   * @param state The last state that this kind of origin gave to `mirrored.save`; undefined before that, and after a
   * reset. Errors: MirrorFault; any other error counts as a transient fault.
   */
  update(state: unknown, mirrored: Mirrored): Promise<Checked>;
}

/** The parts of the service that an origin may use. */
export interface Mirrored {
  /** Name of our source. */
  readonly source: string;
  readonly writer: MirrorWriter;
  /** Number of updates that failed since the last one without a fault. */
  readonly faults: number;
  /**
   * Stores the progress: after each file or step that was applied, never before. An origin that dies in between applies
   * that step again, which changes nothing.
   */
  save(progress: Progress): Promise<void>;
  /** The last saved `Progress.files`. */
  storedFiles(): Promise<FileHashes>;
  /** Aborted when the service stops, or when this replica loses the copy to another. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  now(): Date;
}

/** The progress of a copy. */
export interface Progress {
  /** JSON in the origin's own form, short: each step stores it again. */
  readonly state: object;
  /**
   * All files that the origin names now. They may be many: a step stores those that are new or removed. Default: as
   * before.
   */
  readonly files?: FileHashes;
  /** Only of NRTM version 4. */
  readonly sessionId?: string;
  /** Version or serial of the registry that the copy has. */
  readonly version?: number;
  /** The changes that this step applied; absent when it applied none. */
  readonly applied?: Applied;
}

/** Hashes of files of an origin, by names of its own form. */
export type FileHashes = Readonly<Record<string, string>>;

/** The result of an update without a fault. */
export interface Checked {
  /** When the registry published the present state of the copy, if known. A day later the copy counts as stale. */
  readonly publishedAt?: Date;
}

/** The changes of a step to the objects of a copy. */
export interface Applied {
  /** Number of whole loads. */
  readonly loads: number;
  /** Number of new and changed objects. */
  readonly puts: number;
  readonly deletes: number;
  /** Number of unreadable objects; they do not change, and do not stop the update. */
  readonly rejected: number;
}

/** A change of a copy. */
export type MirrorChange =
  /** The text of an object (RPSL) that is new, or replaces the one with its key. */
  | { readonly put: string }
  /** Any letter case; of a route, prefix and AS number without a separator. */
  | { readonly delete: { readonly type: string; readonly primaryKey: string } };

/** Writes one copy. Every call is all or nothing, and repeating it changes nothing. */
export interface MirrorWriter {
  /**
   * Replaces the whole content.
   * @param open Starts the text of the dump (UTF-8 or latin-1), from its beginning; called twice after a reset. Errors:
   * MirrorFault `refused` when the text has no object though the copy has some, or when more than a tenth of them would
   * be deleted and no operator has reset the copy.
   */
  load(open: () => AsyncIterable<Uint8Array>, options: LoadOptions): Promise<Applied>;
  /** Applies changes in their order. Errors: TooManyChanges when they are too many for one transaction. */
  apply(changes: AsyncIterable<readonly MirrorChange[]>, options: ApplyOptions): Promise<Applied>;
}

export interface ApplyOptions {
  /** The registry's name for the source, as in the `source` of its objects. */
  readonly originSource: string;
  readonly signal: AbortSignal;
}

export interface LoadOptions extends ApplyOptions {
  readonly encoding: 'utf8' | 'latin1';
}

/** More changes than one transaction may have: the copy needs a whole load. */
export class TooManyChanges extends Error {
  override readonly name = 'TooManyChanges';
}

/**
 * Why an update failed. `transient`: the network, a server, or a file that is being replaced; a retry may succeed.
 * `refused`: what the registry published must not be applied; an operator must look at it.
 */
export class MirrorFault extends Error {
  override readonly name = 'MirrorFault';

  /** @param message A sentence for operators, without a full stop. */
  constructor(
    readonly kind: 'transient' | 'refused',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Reads the configuration of one origin: the value of "nrtm4", "nrtm3" or "dump" in the file of origins. Reports all
 * faults.
 * @param proxy URL of the HTTP proxy through which files come, unless the origin is in the operator's own network.
 */
export type ReadOrigin = (value: unknown, source: string, proxy?: string) => Read<Origin>;
