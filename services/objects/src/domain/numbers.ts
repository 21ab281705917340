import { type AddressRange, type AsRange, isWholeSpace, type RpslObject, rangeOf } from '@cadastre/rpsl';

/** The addresses or AS numbers that an object covers; undefined for types without any. */
export function numbers(object: RpslObject): AddressRange | AsRange | undefined {
  const range = rangeOf(object);
  return range && ('as' in range ? range.as : range);
}

/** The addresses of an object; undefined when it has none. */
export function addressesOf(object: RpslObject): AddressRange | undefined {
  const range = rangeOf(object);
  return range === undefined || 'as' in range ? undefined : range;
}

/** Whether an object covers the whole address space and so has no parent. */
export function isRootNetwork(object: RpslObject): boolean {
  const range = object.type === 'inetnum' || object.type === 'inet6num' ? addressesOf(object) : undefined;
  return range !== undefined && isWholeSpace(range);
}

/** Number of addresses or AS numbers of an object, minus one. */
export function size(object: RpslObject): bigint {
  const { first, last } = numbers(object)!;
  return BigInt(last) - BigInt(first);
}

/** Orders objects with numbers by size, smallest first. */
export function bySize(a: RpslObject, b: RpslObject): number {
  const [left, right] = [size(a), size(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Orders objects with numbers of one kind by start, lowest first. */
export function byStart(a: RpslObject, b: RpslObject): number {
  return numbers(a)!.first < numbers(b)!.first ? -1 : 1;
}
