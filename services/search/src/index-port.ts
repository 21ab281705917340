import type { Tag } from '@cadastre/proto/registry';
import type { ObjectTypeName } from '@cadastre/rpsl';

/** Which object is meant. */
export interface ObjectId {
  /** Name of the source, upper case. */
  readonly source: string;
  readonly type: ObjectTypeName;
  /** The folded primary key. */
  readonly key: string;
}

/** An object as the index gives it back. */
export interface IndexedObject extends ObjectId {
  /** The complete object in RPSL text form (latin-1 characters only, final newline). */
  readonly text: string;
  readonly revision: number;
  /** The serial at which this state was written. */
  readonly serial: bigint;
  readonly created?: Date;
  readonly modified: Date;
  /** In alphabetical order of their identifiers. */
  readonly tags: readonly Tag[];
}

/** The number spaces that objects occupy. */
export type Space = 'ipv4' | 'ipv6' | 'as';

/** A part of a number space; both ends belong to it. Any ends are allowed, not only prefixes. */
export interface Range {
  readonly space: Space;
  readonly first: bigint;
  readonly last: bigint;
}

/** An object with everything by which it can be found. */
export interface IndexDocument extends IndexedObject {
  /**
   * "name=value" in lower case, each at most once: lookup terms ("key=as64500", "nic-hdl=ab1-test", "word=doe" for
   * each word of a name, "netname=...", "e-mail=...") and inverse terms ("mnt-by=example-mnt", "origin=as64500").
   */
  readonly terms: readonly string[];
  /** Host names in lower case, without a final dot, that can be found by their beginning. */
  readonly hosts: readonly string[];
  /** What the object occupies. A domain occupies its reverse zone. */
  readonly range?: Range;
  /** Of routes only: the folded origin. */
  readonly origin?: string;
}

/**
 * Which objects around a range K are wanted (queries.md 3.2 restated). Ranges of one type and source that are
 * stored are disjoint, equal or nested; K may cut them.
 * - `default`: those equal to K if there are any, else those with the smallest range that contains K
 * - `exact`: those equal to K
 * - `one-less`: those with the smallest range that strictly contains K
 * - `all-less`: those that contain K, equal ones included; widest first
 * - `one-more`: those strictly inside K that are not inside another one that is strictly inside K; by address
 * - `all-more`: those strictly inside K; by address, a parent before its children
 */
export type Mode = 'default' | 'exact' | 'one-less' | 'all-less' | 'one-more' | 'all-more';

/** One search among the objects of one type. */
export type TypeQuery =
  | {
      readonly kind: 'terms';
      readonly type: ObjectTypeName;
      /** Alternatives; each is a list of terms that must all be there. An object that fits several is found once. */
      readonly anyOf: readonly (readonly string[])[];
      /** By folded key in code point order, or by first address and then the larger range first. */
      readonly order: 'key' | 'address';
    }
  /** Objects with a host that begins with `prefix`, in the order of their keys. */
  | { readonly kind: 'hosts'; readonly type: 'domain'; readonly prefix: string }
  /**
   * Objects around a range. Several at one range come in the order of their origins (code point order of the folded
   * text). With `origin`, the mode is applied first and then those of other origins are dropped.
   */
  | {
      readonly kind: 'range';
      readonly type: ObjectTypeName;
      readonly range: Range;
      readonly mode: Mode;
      readonly origin?: string;
    }
  /** The as-block with the smallest range that contains all of `range`, equal ends included; at most one. */
  | { readonly kind: 'covering'; readonly type: 'as-block'; readonly range: Range };

/** Consecutive changes of a source. */
export interface Batch {
  /** The serial that the index must have reached before: the batch says everything that happened since. */
  readonly after: bigint;
  /** Objects in their newest state. No object appears twice in a batch, nor in both lists. */
  readonly documents: readonly IndexDocument[];
  readonly deletions: readonly ObjectId[];
  /** Every change up to this serial has been applied with the batch. */
  readonly serial: bigint;
}

/** How far the index of a source is. */
export interface Position {
  readonly serial: bigint;
  /** When the index got there, or last heard that there was nothing newer. */
  readonly reached: Date;
}

/** Documents in a page of a query at most. */
export const maximalPage = 100;

/** A derived, rebuildable index of objects. Sources need not be announced; the first write makes them. */
export interface SearchIndex {
  /** Makes what the index needs that is not there yet. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Throws when the index cannot answer queries. */
  check(): Promise<void>;
  /** The last serial that queries see; undefined for a source that was never built. */
  position(source: string): Promise<Position | undefined>;
  /**
   * Applies a batch; afterwards queries see it and the position is at least `batch.serial`. A batch that brings
   * nothing beyond the position changes no object, so repeating one is harmless, also after a crash in its middle.
   * An empty batch moves the position. A source without a position counts as standing at serial 0.
   * Errors: ServiceError 'conflict' when the position is before `batch.after`; nothing was changed then.
   */
  apply(source: string, batch: Batch): Promise<void>;
  /**
   * Matches in the order that the query asks for, in pages of 1 to 100, fetched only when pulled. Holds no lock and no
   * transaction between pages: a switch of the index or a write between two pages neither ends it nor repeats an
   * object. A source that was never built has no matches.
   */
  query(source: string, query: TypeQuery, signal: AbortSignal): AsyncIterable<readonly IndexedObject[]>;
  /** Objects by their keys, any number, in the order asked; undefined where there is none. */
  load(ids: readonly ObjectId[]): Promise<(IndexedObject | undefined)[]>;
  /**
   * Starts a second copy of a source's index, filled beside the one in use. What an interrupted rebuild left is
   * thrown away. Errors: ServiceError 'conflict' while a rebuild of the source is running.
   */
  beginRebuild(source: string): Promise<Rebuild>;
  /** How many objects queries can find. */
  count(source: string): Promise<bigint>;
}

/** A copy of a source's index that queries do not see yet. */
export interface Rebuild {
  /** Adds documents; one that is there already is replaced. */
  add(documents: readonly IndexDocument[]): Promise<void>;
  remove(ids: readonly ObjectId[]): Promise<void>;
  /**
   * Puts the copy in the place of the index in use, in one step, at that position. False, with nothing changed, when
   * the index in use is further than `serial`: then add what is missing and try again. `back` switches also then: for
   * a registry that was put back to an earlier state.
   */
  finish(serial: bigint, options?: { readonly back?: boolean }): Promise<boolean>;
  /** Throws the copy away. Harmless after `finish`. */
  abandon(): Promise<void>;
}
