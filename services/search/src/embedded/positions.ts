import type { Range, Space } from '@cadastre/query';
import type { QueryPosition } from '../index-port.js';
import type { Tables } from './tables.js';

/**
 * Ends of ranges are stored as bytes whose order is that of the numbers: a byte for the number space, then 4 bytes, or
 * 16 of an IPv6 address.
 */
export type End = Uint8Array;

/**
 * The position of an object in an order, as bytes: those of its key (UTF-8, in the order of code points), or, in the
 * order of addresses, its first end, the complement of its last end (larger ranges first), and its key.
 */
export type SortKey = Uint8Array;

export type Order = 'key' | 'address';

const codes: Record<Space, number> = { as: 2, ipv4: 4, ipv6: 6 };
const ipv6Code = codes.ipv6;

/** The largest number of spaces other than IPv6. */
const maxEnd = 0xffff_ffffn;

/** The bytes of an end. */
function endOf(space: Space, number: bigint): Buffer {
  if (space !== 'ipv6') {
    const end = Buffer.allocUnsafe(5);
    end[0] = codes[space];
    // A cursor may name any number.
    end.writeUInt32BE(Number(number > maxEnd ? maxEnd : number), 1);
    return end;
  }
  const end = Buffer.allocUnsafe(17);
  end[0] = ipv6Code;
  end.writeBigUInt64BE(number >> 64n, 1);
  end.writeBigUInt64BE(number & 0xffff_ffff_ffff_ffffn, 9);
  return end;
}

/** The number of an end. */
export function numberOf(end: End): bigint {
  const { buffer, byteOffset, byteLength } = end;
  const view = new DataView(buffer, byteOffset, byteLength);
  return end[0] === ipv6Code ? (view.getBigUint64(1) << 64n) | view.getBigUint64(9) : BigInt(view.getUint32(1));
}

/** Both ends of a range. */
export interface Ends {
  readonly first: End;
  readonly last: End;
}

export function endsOf({ space, first, last }: Range): Ends {
  return { first: endOf(space, first), last: endOf(space, last) };
}

export function sortKeyByKey(key: string): Buffer {
  return Buffer.from(key);
}

export function sortKeyByAddress({ first, last }: Ends, key: string): Buffer {
  return Buffer.concat([first, complement(last), Buffer.from(key)]);
}

/** The ends and the key in a position in the order of addresses. */
export function partsOf(sortKey: SortKey): Ends & { readonly key: string } {
  const length = sortKey[0] === ipv6Code ? 17 : 5;
  const key = Buffer.from(sortKey.buffer, sortKey.byteOffset + 2 * length, sortKey.byteLength - 2 * length).toString();
  return { first: sortKey.subarray(0, length), last: complement(sortKey.subarray(length, 2 * length)), key };
}

/** The position from which a query begins; undefined for its start. */
export function beginning(order: Order, from: QueryPosition | undefined): SortKey | undefined {
  if (from === undefined) return undefined;
  if (order === 'key') return sortKeyByKey(from.key);
  return from.range && sortKeyByAddress(endsOf(from.range), from.key);
}

function complement(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.map((byte) => byte ^ 0xff));
}

/** How many of the first bits of both ends are equal. */
export function sharedBits({ first, last }: Ends): number {
  for (let at = 1; at < first.length; at++) {
    const difference = first[at]! ^ last[at]!;
    if (difference !== 0) return (at - 1) * 8 + Math.clz32(difference) - 24;
  }
  return (first.length - 1) * 8;
}

/**
 * The node of a binary tree over the numbers of a space in which a range is stored: the longest prefix that holds all
 * of the range. A range that contains another one is in a node on the path from the root to the other's (as in the
 * relational interval tree of Kriegel, Pötke and Seidl, 2000).
 */
export function nodeAt(type: number, end: End, bits: number): Buffer {
  const bytes = Math.ceil(bits / 8);
  const node = Buffer.alloc(3 + bytes);
  node[0] = type;
  node[1] = end[0]!;
  node[2] = bits;
  node.set(end.subarray(1, 1 + bytes), 3);
  if (bits % 8 !== 0) node[2 + bytes]! &= 0xff << (8 - (bits % 8));
  return node;
}

/** After all characters in keys and names. */
export const lastCharacter = '\u{10ffff}';

/** An object that a query finds. */
export interface Match {
  readonly id: number;
  /** Its position in the order of the query, if it was read: a row without bytes costs much less. */
  readonly sortKey?: SortKey;
}

/** Where a query continues. */
export interface Start {
  readonly sortKey: SortKey;
  /** Whether the object at the position itself is wanted. */
  readonly isIncluded: boolean;
}

/** The first matches of a query after a position, in its order. */
export interface Found {
  readonly matches: readonly Match[];
  /** Where to continue; undefined when these are all. */
  readonly next: Start | undefined;
}

/** Up to `limit` matches; when the limit is reached, more may follow. */
export function cut(tables: Tables, order: Order, matches: readonly Match[], limit: number): Found {
  if (matches.length < limit) return { matches, next: undefined };
  const some = matches.slice(0, limit);
  return { matches: some, next: { sortKey: sortKeyOf(tables, order, some.at(-1)!), isIncluded: false } };
}

/** The position of a match in an order. */
export function sortKeyOf(tables: Tables, order: Order, { id, sortKey }: Match): SortKey {
  if (sortKey !== undefined) return sortKey;
  const [key, first, last] = tables.row<[string, Uint8Array | null, Uint8Array | null]>(
    'select key, first, last from object where id = ?',
    id,
  )!;
  return order === 'address' && first && last ? sortKeyByAddress({ first, last }, key) : sortKeyByKey(key);
}
