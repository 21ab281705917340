import type { DumpEntry } from '@cadastre/rpsl';
import { createCopyRows } from '@cadastre/service/copy-rows';
import { type HandleParts, handleParts } from '../store/handles.js';
import { type BulkState, writeObjectRow } from '../store/object-rows.js';
import { keyHash } from './key-set.js';
import { type LoadedObject, type LoadedSource, namedKey, type Rejection, readObject } from './read-object.js';

/** A part of a dump: its objects, in order. */
export type DumpPart = readonly DumpEntry[];

/** The load for which a thread reads a part. */
export interface ReadSettings {
  readonly sourceId: number;
  readonly source: LoadedSource;
  /** Of the load's set of keys. */
  readonly salt: string;
  /** For objects without a modification time. */
  readonly now: Date;
}

/** The contents of a part of a dump, in a form that is cheap to pass between threads. */
export interface ReadPart {
  /** COPY rows of all objects but key-certs. The serial of a row is the object's place in the part, from 0. */
  readonly rows: Uint8Array;
  /** Where the rows start. */
  readonly starts: Uint32Array;
  /** The positions of their objects, which are also their serials. */
  readonly places: Uint32Array;
  /** Two halves of the hash of each key (`keyHash` of `namedKey`). */
  readonly hashes: Uint32Array;
  /** Key-certs: only certificate readers can find the subkeys for their rows. */
  readonly keyCerts: readonly PlacedState[];
  readonly rejections: readonly Rejection[];
  /** The first lines of all objects of the part, by position. */
  readonly lines: Uint32Array;
  /** The line that ends its last object. */
  readonly end: number;
  /** Handles of the objects, which are never free again. */
  readonly handles: readonly HandleParts[];
  /** The mntners and irts that the objects name, as in `LoadedObject.references`. */
  readonly maintainers: readonly string[];
}

/** An object and its position in the part. */
export interface PlacedState extends BulkState {
  readonly place: number;
}

/** Parses and checks the objects of a part. Runs on a thread of `Context.loadReaders`. */
export function readPart(part: DumpPart, settings: ReadSettings): ReadPart {
  const rows = createCopyRows();
  const starts: number[] = [];
  const places: number[] = [];
  const hashes: number[] = [];
  const keyCerts: PlacedState[] = [];
  const rejections: Rejection[] = [];
  const handles: HandleParts[] = [];
  const maintainers = new Set<string>();
  for (const [place, entry] of part.entries()) {
    const read = readObject(entry, settings.source);
    if (!read.ok) {
      rejections.push(read.rejection);
      continue;
    }
    const state = { ...read.object, modified: read.object.modified ?? settings.now };
    if (state.type === 'key-cert') {
      keyCerts.push({ ...state, place });
    } else {
      const { high, low } = keyHash(settings.salt, namedKey(state));
      hashes.push(high, low);
      starts.push(rows.size());
      places.push(place);
      writeObjectRow(rows, settings.sourceId, state, place);
    }
    // Copies accept no new objects from clients.
    if (settings.source.kind === 'main') handles.push(...handlesOf(state));
    for (const one of state.references) if (one.startsWith('mntner:') || one.startsWith('irt:')) maintainers.add(one);
  }
  return {
    rows: rows.bytes(),
    starts: Uint32Array.from(starts),
    places: Uint32Array.from(places),
    hashes: Uint32Array.from(hashes),
    keyCerts,
    rejections,
    lines: Uint32Array.from(part, ({ line }) => line),
    end: part.at(-1)?.end ?? 0,
    handles,
    maintainers: [...maintainers],
  };
}

const certificatePrefix = 'key-cert:';

/** The registry never reuses certificate numbers that mntners name, whether the key-certs exist or not. */
function handlesOf({ type, key, references }: Pick<LoadedObject, 'type' | 'key' | 'references'>): HandleParts[] {
  const certificates =
    type === 'mntner' || type === 'irt'
      ? references.filter((one) => one.startsWith(certificatePrefix)).map((one) => one.slice(certificatePrefix.length))
      : [];
  return [handleParts(type, key), ...certificates.map((name) => handleParts('key-cert', name))].filter(
    (parts) => parts !== undefined,
  );
}
