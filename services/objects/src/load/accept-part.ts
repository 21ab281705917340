import type { LoadedKeys } from '@cadastre/proto/objects';
import { parseReadable } from '@cadastre/rpsl';
import { createCopyRows } from '@cadastre/service/copy-rows';
import type { CertificateReader } from '../domain/certificates/read-certificate.js';
import { partition } from '../partition.js';
import type { HandleParts } from '../store/handles.js';
import { type ObjectRows, readRowId, writeObjectRow } from '../store/object-rows.js';
import { subkeyText } from '../store/references.js';
import { type KeyHash, type KeySet, keyHash } from './key-set.js';
import { bytesOfHashes, type NamedKeys } from './named-keys.js';
import { namedKey, type Rejection } from './read-object.js';
import type { PlacedState, ReadPart } from './read-part.js';

/** Objects to be stored in one transaction. */
export interface Batch {
  readonly objects: number;
  /** The serials of the rows are their objects' places in the part. */
  readonly rows: readonly ObjectRows[];
  /** The same for objects whose keys were known before the load (`acceptPart`). */
  readonly knownRows: readonly ObjectRows[];
  readonly handles: readonly HandleParts[];
  readonly rejections: readonly Rejection[];
  /** First line of its last object, from 1. */
  readonly line: number;
  /** The line that ends its last object. */
  readonly end: number;
  /** What it adds to the keys of the dump. */
  readonly added: LoadedKeys;
}

/**
 * Adds the keys of a part to `named` and rejects duplicates. Parts must come in the dump's order. The rows of `known`
 * keys are separate.
 */
export async function acceptPart(
  part: ReadPart,
  { named, known }: { readonly named: NamedKeys; readonly known: KeySet },
  sourceId: number,
  certificates: Pick<CertificateReader, 'signingSubkeys'>,
): Promise<Batch> {
  const rejectedKeys = part.rejections.flatMap(({ id }) => (id === undefined ? [] : [namedKey(id)]));
  const rejected = rejectedKeys
    .map((key) => keyHash(named.rejected.salt, key))
    .filter(({ high, low }) => named.rejected.addHash(high, low));
  const maintainers = part.maintainers.filter((one) => !named.maintainers.has(one));
  for (const one of maintainers) named.maintainers.add(one);
  const rows = acceptRows(part, named.accepted, known);
  const keyCerts = acceptKeyCerts(part, named.accepted);
  const [knownCerts, freshCerts] = partition(keyCerts.states, (state) => known.has(namedKey(state)));
  const rejections = [...part.rejections, ...rows.rejections, ...keyCerts.rejections];
  return {
    objects: part.starts.length - rows.rejections.length + keyCerts.states.length,
    rows: [rows.fresh, ...(await rowsOfKeyCerts(freshCerts, sourceId, certificates))],
    knownRows: [rows.known, ...(await rowsOfKeyCerts(knownCerts, sourceId, certificates))],
    handles: part.handles,
    rejections: rejections.sort((a, b) => a.line - b.line),
    line: part.lines.at(-1) ?? 0,
    end: part.end,
    added: {
      accepted: bytesOfHashes([...rows.hashes, ...keyCerts.hashes]),
      rejected: bytesOfHashes(rejected),
      maintainers,
    },
  };
}

function acceptRows({ rows, starts, places, hashes: read, lines }: ReadPart, accepted: KeySet, known: KeySet) {
  const buffer = Buffer.from(rows.buffer, rows.byteOffset, rows.length);
  const rejections: Rejection[] = [];
  const hashes: KeyHash[] = [];
  const fresh: number[] = [];
  const knownOnes: number[] = [];
  for (const [index, start] of starts.entries()) {
    const high = read[2 * index]!;
    const low = read[2 * index + 1]!;
    if (!accepted.addHash(high, low)) {
      rejections.push(repeated(lines[places[index]!]!, readRowId(buffer, start)));
      continue;
    }
    hashes.push({ high, low });
    if (known.hasHash(high, low)) knownOnes.push(index);
    else fresh.push(index);
  }
  const [freshRows, knownRows] = [rowsAt(buffer, starts, fresh), rowsAt(buffer, starts, knownOnes)];
  return { fresh: freshRows, known: knownRows, rejections, hashes };
}

/** The rows with these indexes, which ascend. */
export function rowsAt(buffer: Buffer, starts: Uint32Array, indexes: readonly number[]): ObjectRows {
  const pieces: Buffer[] = [];
  let from = 0;
  let to = 0;
  for (const index of indexes) {
    const start = starts[index]!;
    if (start !== to) {
      if (to > from) pieces.push(buffer.subarray(from, to));
      from = start;
    }
    to = starts[index + 1] ?? buffer.length;
  }
  if (to > from) pieces.push(buffer.subarray(from, to));
  return { buffer, starts: indexes.map((index) => starts[index]!), pieces };
}

function acceptKeyCerts({ keyCerts, lines }: ReadPart, accepted: KeySet) {
  const [states, others] = partition(keyCerts, (state) => accepted.add(namedKey(state)));
  return {
    states,
    rejections: others.map((state) => repeated(lines[state.place]!, state)),
    hashes: states.map((state) => keyHash(accepted.salt, namedKey(state))),
  };
}

function repeated(line: number, { type, key }: { readonly type: string; readonly key: string }): Rejection {
  return { line, name: `${type} ${key}`, reasons: ['The dump has this key already'] };
}

/** The subkeys that may sign for the key also find a key-cert. */
export async function rowsOfKeyCerts(
  states: readonly PlacedState[],
  sourceId: number,
  certificates: Pick<CertificateReader, 'signingSubkeys'>,
): Promise<ObjectRows[]> {
  if (states.length === 0) return [];
  const rows = createCopyRows();
  const starts: number[] = [];
  for (const state of states) {
    const keyCert = parseReadable(state.text);
    const subkeys = keyCert === undefined ? [] : await certificates.signingSubkeys(keyCert);
    const references = [...state.references, ...subkeys.map(subkeyText)];
    starts.push(rows.size());
    writeObjectRow(rows, sourceId, { ...state, references }, state.place);
  }
  const buffer = Buffer.from(rows.bytes().buffer);
  return [{ buffer, starts, pieces: [buffer] }];
}
