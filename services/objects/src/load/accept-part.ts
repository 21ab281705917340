import { createCopyRows } from '@cadastre/service/copy-rows';
import type { CertificateReader } from '../domain/certificates/read-certificate.js';
import type { HandleParts } from '../store/handle-names.js';
import { readRowId, writeObjectRow } from '../store/object-rows.js';
import { parseReadable } from '../store/parse-stored.js';
import { subkeyText } from '../store/references.js';
import { createKeySet, type KeySet } from './key-set.js';
import { namedKey, type Rejection } from './read-object.js';
import type { PlacedState, ReadPart } from './read-part.js';

/** Objects to be stored in one transaction. */
export interface Batch {
  readonly objects: number;
  /** COPY rows; their serials ascend in the order of the dump within a piece, and are unique in the batch. */
  readonly rows: readonly Uint8Array[];
  readonly handles: readonly HandleParts[];
  readonly rejections: readonly Rejection[];
}

/** All keys in a dump so far, accepted or not. */
export interface NamedKeys {
  readonly accepted: KeySet;
  readonly rejected: KeySet;
  /** The mntners and irts that its objects name, as in `LoadedObject.references`. */
  readonly maintainers: Set<string>;
}

export function noNamedKeys(): NamedKeys {
  return { accepted: createKeySet(), rejected: createKeySet(), maintainers: new Set() };
}

/** Adds the keys of a part to `named` and rejects those that it has already. Parts must come in the dump's order. */
export async function acceptPart(
  part: ReadPart,
  named: NamedKeys,
  sourceId: number,
  certificates: Pick<CertificateReader, 'signingSubkeys'>,
): Promise<Batch> {
  for (const { id } of part.rejections) if (id !== undefined) named.rejected.add(namedKey(id));
  for (const one of part.maintainers) named.maintainers.add(one);
  const rows = acceptRows(part, named.accepted);
  const keyCerts = acceptKeyCerts(part, named.accepted);
  const rejections = [...part.rejections, ...rows.rejections, ...keyCerts.rejections];
  return {
    objects: rows.objects + keyCerts.states.length,
    rows: [...rows.pieces, ...(await rowsOfKeyCerts(keyCerts.states, sourceId, certificates))],
    handles: part.handles,
    rejections: rejections.sort((a, b) => a.line - b.line),
  };
}

function acceptRows({ rows, starts, places, hashes, lines }: ReadPart, accepted: KeySet) {
  const buffer = Buffer.from(rows.buffer, rows.byteOffset, rows.length);
  const pieces: Buffer[] = [];
  const rejections: Rejection[] = [];
  let pieceStart = 0;
  for (const [index, start] of starts.entries()) {
    if (accepted.addHash(hashes[2 * index]!, hashes[2 * index + 1]!)) continue;
    rejections.push(repeated(lines[places[index]!]!, readRowId(buffer, start)));
    if (start > pieceStart) pieces.push(buffer.subarray(pieceStart, start));
    pieceStart = starts[index + 1] ?? buffer.length;
  }
  if (pieceStart < buffer.length) pieces.push(buffer.subarray(pieceStart));
  return { pieces, rejections, objects: starts.length - rejections.length };
}

function acceptKeyCerts({ keyCerts, lines }: ReadPart, accepted: KeySet) {
  const states: PlacedState[] = [];
  const rejections: Rejection[] = [];
  for (const state of keyCerts) {
    if (accepted.add(namedKey(state))) states.push(state);
    else rejections.push(repeated(lines[state.place]!, state));
  }
  return { states, rejections };
}

function repeated(line: number, { type, key }: { readonly type: string; readonly key: string }): Rejection {
  return { line, name: `${type} ${key}`, reasons: ['The dump has this key already'] };
}

/** A key-cert is also found by the subkeys that may sign for its key. */
async function rowsOfKeyCerts(
  states: readonly PlacedState[],
  sourceId: number,
  certificates: Pick<CertificateReader, 'signingSubkeys'>,
): Promise<Uint8Array[]> {
  if (states.length === 0) return [];
  const rows = createCopyRows();
  for (const state of states) {
    const keyCert = parseReadable(state.text);
    const subkeys = keyCert === undefined ? [] : await certificates.signingSubkeys(keyCert);
    const references = [...state.references, ...subkeys.map(subkeyText)];
    writeObjectRow(rows, sourceId, { ...state, references }, state.place);
  }
  return [rows.bytes()];
}
