import { type AddressRange, parseResource } from '@cadastre/rpsl';
import type { ShownObject } from '../api/objects.js';
import type { ObjectName } from '../paths.js';

/** An object in the address tree. */
export interface Node {
  readonly object: ShownObject;
  readonly range: AddressRange;
}

/** Whether objects of a type are address space, which may have reverse zones. */
export function isNetwork(type: string): boolean {
  return type === 'inetnum' || type === 'inet6num';
}

/** The addresses of an object of an address type; `undefined` for others. */
export function addressesOf({ type, key }: ObjectName): AddressRange | undefined {
  const resource = parseResource(type.startsWith('route') ? key.replace(/AS\d+$/i, '') : key);
  return resource !== undefined && 'family' in resource ? resource : undefined;
}

/** The objects that have addresses: larger ranges first, then by address. */
export function nodesOf(objects: readonly ShownObject[]): Node[] {
  const nodes = objects.flatMap((object) => {
    const range = addressesOf(object.name);
    return range ? [{ object, range }] : [];
  });
  return nodes.sort(
    (a, b) => order(b.range.last - b.range.first, a.range.last - a.range.first) || order(a.range.first, b.range.first),
  );
}

/** The order of numbers or of texts by their units. */
export function order<T extends string | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether two ranges of a family are the same. */
export function isSame(one: AddressRange, other: AddressRange): boolean {
  return one.first === other.first && one.last === other.last;
}

/** Whether a range is all addresses of its family. */
export function isWhole({ family, first, last }: AddressRange): boolean {
  return last - first + 1n === 1n << (family === 4 ? 32n : 128n);
}

/** The position of a range in an enclosing one: start and width, as fractions of 1. */
export function placeIn(outer: AddressRange, inner: AddressRange): { start: number; width: number } {
  const size = outer.last - outer.first + 1n;
  const part = (value: bigint) => Number((value * 1_000_000n) / size) / 1_000_000;
  return { start: part(inner.first - outer.first), width: part(inner.last - inner.first + 1n) };
}

/** The number of addresses of a range, in short: "256 addresses", "2^96 addresses". */
export function sizeText({ first, last }: AddressRange): string {
  const size = last - first + 1n;
  if (size === 1n) return '1 address';
  if (size < 1_000_000n) return `${Number(size).toLocaleString('en')} addresses`;
  const bits = size.toString(2).length - 1;
  return (size & (size - 1n)) === 0n ? `2^${bits} addresses` : `about 2^${bits} addresses`;
}
