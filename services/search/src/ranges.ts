import { type AddressRange, type Resource, type RpslObject, rangeOf } from '@cadastre/rpsl';
import type { Range } from './index-port.js';

/** A range of addresses in the form of the index. */
export function addressRange(range: AddressRange): Range {
  return { space: range.family === 4 ? 'ipv4' : 'ipv6', first: range.first, last: range.last };
}

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
