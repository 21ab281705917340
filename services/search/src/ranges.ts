import { addressRange, type Range } from '@cadastre/query';
import { type RpslObject, rangeOf } from '@cadastre/rpsl';

/** The range of an object in the form of the index. */
export function occupiedRange(object: RpslObject): Range | undefined {
  const range = rangeOf(object);
  if (range === undefined || 'family' in range) return range && addressRange(range);
  return { space: 'as', first: BigInt(range.as.first), last: BigInt(range.as.last) };
}
