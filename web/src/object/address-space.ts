import { type AddressRange, parseResource } from '@cadastre/rpsl';
import type { ShownObject } from '../api/objects.js';
import { numberText } from '../design/format.js';
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

export function isRoute(type: string): boolean {
  return type === 'route' || type === 'route6';
}

/** The resource of an object's key; for a route, its prefix. */
export function resourceOf({ type, key }: ObjectName): string {
  return isRoute(type) ? key.replace(/AS\d+$/i, '') : key;
}

/** The addresses of an object of an address type; `undefined` for others. */
export function addressesOf(name: ObjectName): AddressRange | undefined {
  return rangeOfText(resourceOf(name));
}

/** Reads a prefix or range of addresses; undefined for another text. */
export function rangeOfText(text: string): AddressRange | undefined {
  const resource = parseResource(text);
  return resource !== undefined && 'family' in resource ? resource : undefined;
}

/** The objects that have addresses: larger ranges first, then by address. */
export function nodesOf(objects: readonly ShownObject[]): Node[] {
  const nodes = objects.flatMap((object) => {
    const range = addressesOf(object.name);
    return range ? [{ object, range }] : [];
  });
  return nodes.sort((a, b) => order(sizeOf(b.range), sizeOf(a.range)) || order(a.range.first, b.range.first));
}

/** The order of ranges by address, larger ones first. */
export function byAddress(a: AddressRange, b: AddressRange): number {
  return order(a.first, b.first) || order(b.last, a.last);
}

/** The order of numbers or of texts by their units. */
export function order<T extends string | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether two ranges of a family are the same. */
export function isSame(a: AddressRange, b: AddressRange): boolean {
  return a.first === b.first && a.last === b.last;
}

/** The number of addresses of a range. */
export function sizeOf({ first, last }: AddressRange): bigint {
  return last - first + 1n;
}

/** The position of a range in an enclosing one: start and width, as fractions of 1. */
export function placeIn(outer: AddressRange, inner: AddressRange): { start: number; width: number } {
  const part = (value: bigint) => Number((value * 1_000_000n) / sizeOf(outer)) / 1_000_000;
  return { start: part(inner.first - outer.first), width: part(sizeOf(inner)) };
}

/** The number of addresses of a range, in short: "256 addresses", "2^96 addresses". */
export function sizeText(range: AddressRange): string {
  const size = sizeOf(range);
  if (size === 1n) return '1 address';
  if (size < 1_000_000n) return `${numberText(Number(size))} addresses`;
  const bits = size.toString(2).length - 1;
  return (size & (size - 1n)) === 0n ? `2^${bits} addresses` : `about 2^${bits} addresses`;
}
