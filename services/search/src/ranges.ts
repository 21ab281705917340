import { addressRange, type Range } from '@cadastre/query';
import { type Resource, type RpslObject, rangeOf } from '@cadastre/rpsl';

/** A range of addresses or AS numbers in the form of the index. */
export function resourceRange(resource: Resource): Range {
  if ('family' in resource) return addressRange(resource);
  return { space: 'as', first: BigInt(resource.as.first), last: BigInt(resource.as.last) };
}

/** The range of an object in the form of the index. */
export function occupiedRange(object: RpslObject): Range | undefined {
  const range = rangeOf(object);
  return range && resourceRange(range);
}
