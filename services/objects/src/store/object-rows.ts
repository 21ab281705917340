import type { ObjectTypeName } from '@cadastre/rpsl';
import type { CopyRows } from '@cadastre/service/copy-rows';
import { hashHalves } from '@cadastre/service/hash64';
import { typeCodes, typeOfCode } from './codes.js';
import type { Span } from './spans.js';

/** The state of an object in a bulk load. */
export interface BulkState {
  readonly type: ObjectTypeName;
  /** Folded primary key. */
  readonly key: string;
  readonly text: string;
  readonly created: Date | undefined;
  readonly modified: Date;
  /** The texts that the index of references hashes: `class:key`. */
  readonly references: readonly string[];
  readonly span: Span | undefined;
}

/** The columns of the table `object` that rows of a bulk load have. */
export const objectRowColumns =
  '(source_id, type, revision, serial, announced, created, modified, key, text, refs, span, span6)';

const columns = 12;
/** The offsets of its type and `created` in the row: the columns before have fixed widths. */
const typeAt = 12;
const createdAt = 46;
const serialAt = 26;
const announcedAt = 38;

/** Writes the row of a new object; its serial is `serial`, a number below 2^53. */
export function writeObjectRow(copy: CopyRows, sourceId: number, state: BulkState, serial: number): void {
  copy.row(columns);
  copy.int16(sourceId);
  copy.int16(typeCodes[state.type]);
  copy.int32(1);
  copy.int64(serial);
  copy.int64(serial);
  if (state.created === undefined) copy.empty();
  else copy.timestamp(state.created);
  copy.timestamp(state.modified);
  copy.text(state.key);
  copy.text(state.text);
  copy.int64Array([...new Set(state.references)].map(hashHalves));
  if (state.span?.column === 'span') copy.int64Range(state.span.lower, state.span.upper);
  else copy.empty();
  if (state.span?.column === 'span6') copy.numericRange(state.span.lower, state.span.upper);
  else copy.empty();
}

/** Rows in memory, without those that were dropped. */
export interface ObjectRows {
  readonly buffer: Buffer;
  /** Where the rows start. */
  readonly starts: readonly number[];
  /** The parts of the buffer that have these rows. */
  readonly pieces: readonly Buffer[];
}

/** Assigns serials from `first` on to the rows, in their order. */
export function numberRows({ buffer, starts }: ObjectRows, first: bigint): void {
  let serial = first;
  for (const start of starts) {
    buffer.writeBigInt64BE(serial, start + serialAt);
    buffer.writeBigInt64BE(serial, start + announcedAt);
    serial++;
  }
}

/** Type and key of the row at `start`. */
export function readRowId(rows: Buffer, start: number): { type: ObjectTypeName; key: string } {
  const type = typeOfCode(rows.readInt16BE(start + typeAt));
  const modifiedAt = start + createdAt + (rows.readInt32BE(start + createdAt) === -1 ? 4 : 12);
  const keyAt = modifiedAt + 12;
  return { type, key: rows.toString('utf8', keyAt + 4, keyAt + 4 + rows.readInt32BE(keyAt)) };
}
