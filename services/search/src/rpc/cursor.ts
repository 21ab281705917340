import { SearchCursor } from '@cadastre/proto/search';
import { queryMessages } from '@cadastre/query';
import { isObjectTypeName } from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import type { TypedKey } from '../index-port.js';
import type { ResultPosition } from '../run/position.js';

/** Where a result continues. */
export interface Continuation {
  /** Number of objects of the result so far, skipped ones included. */
  readonly seen: number;
  readonly after: ResultPosition;
}

export function encodeCursor({ seen, after }: Continuation): Buffer {
  const { source, primary, related } = after;
  const { type, key, range } = primary;
  const first = range === undefined ? '' : String(range.first);
  const last = range === undefined ? '' : String(range.last);
  const cursor = { objects: seen, source, type, key, first, last, ...(related && { related: { ...related } }) };
  return Buffer.from(SearchCursor.encode(cursor).finish());
}

/**
 * Undefined for an empty cursor. Clients may send an invented cursor. `sources`: number of searched sources. Errors:
 * ServiceError 'invalid'.
 */
export function decodeCursor(bytes: Uint8Array, sources: number): Continuation | undefined {
  if (bytes.length === 0) return undefined;
  try {
    const { objects: seen, source, first, last, related, ...primary } = SearchCursor.decode(bytes);
    if (source >= sources) throw new RangeError('no such source');
    const range = first === '' ? {} : { range: { first: endOf(first), last: endOf(last) } };
    const after = { source, primary: { ...typedKey(primary), ...range } };
    return { seen, after: related === undefined ? after : { ...after, related: typedKey(related) } };
  } catch (cause) {
    throw new ServiceError('invalid', [queryMessages.invalidCursor()], { cause });
  }
}

/** The digits of the largest address. */
const maxDigits = 39;
const largestEnd = 2n ** 128n - 1n;

function endOf(text: string): bigint {
  const end = /^\d+$/.test(text) && text.length <= maxDigits ? BigInt(text) : undefined;
  if (end === undefined || end > largestEnd) throw new RangeError('no end of a range');
  return end;
}

function typedKey({ type, key }: { type: string; key: string }): TypedKey {
  if (!isObjectTypeName(type)) throw new TypeError('unknown type');
  return { type, key };
}
