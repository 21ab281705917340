import { type AddressRange, type RpslObject, rangeOf } from '@cadastre/rpsl';
import type { Range } from './index-port.js';

/** A range of addresses in the form of the index. */
export function addressRange(range: AddressRange): Range {
  return { space: range.family === 4 ? 'ipv4' : 'ipv6', first: range.first, last: range.last };
}

/** The range of an object in the form of the index. */
export function occupiedRange(object: RpslObject): Range | undefined {
  const range = rangeOf(object);
  if (range === undefined || 'family' in range) return range && addressRange(range);
  return { space: 'as', first: BigInt(range.as.first), last: BigInt(range.as.last) };
}
