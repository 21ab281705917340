import { type AddressRange, isWholeSpace, prefixLength, type Resource } from './address-range.js';
import { parseAsBlock, parseAsNumber } from './as-number.js';
import { reverseDomainRange } from './domain-name.js';
import { formatIpv4, formatIpv4Range, parseIpv4, parseIpv4Prefix, parseIpv4Range } from './ipv4.js';
import { formatIpv6, parseIpv6Prefix } from './ipv6.js';
import { firstOf, type RpslObject } from './object.js';
import type { ObjectTypeName } from './types.js';
import { cleanValue } from './value.js';

/** `address/length`, or `first - last` for a range that is not a prefix. */
export function formatPrefix(range: AddressRange): string {
  const format = range.family === 4 ? formatIpv4 : formatIpv6;
  const length = prefixLength(range);
  return length === undefined ? `${format(range.first)} - ${format(range.last)}` : `${format(range.first)}/${length}`;
}

/** The range in the form of an inetnum or inet6num key. */
export function formatRange(range: AddressRange): string {
  return range.family === 4 ? formatIpv4Range(range) : formatPrefix(range);
}

/** Parses any address, prefix, range, AS number or AS block, as users may type it. */
export function parseResource(text: string): Resource | undefined {
  const value = text.trim();
  if (value.includes(':')) return parseIpv6Prefix(value);
  const number = parseAsNumber(value);
  const as = number === undefined ? parseAsBlock(value) : { first: number, last: number };
  return as === undefined ? parseIpv4Range(value) : { as };
}

type RangeReader = (value: string) => Resource | undefined;

const rangeReaders: { readonly [type in ObjectTypeName]?: RangeReader } = {
  inetnum: parseIpv4Range,
  inet6num: parseIpv6Prefix,
  route: parseIpv4Prefix,
  route6: parseIpv6Prefix,
  domain: reverseDomainRange,
  'as-block': (value) => asResource(parseAsBlock(value)),
  'aut-num': (value) => {
    const number = parseAsNumber(value);
    return number === undefined ? undefined : { as: { first: number, last: number } };
  },
};

function asResource(as: ReturnType<typeof parseAsBlock>): Resource | undefined {
  return as && { as };
}

/** The part of the number space that the object covers; undefined for types without numbers and for bad values. */
export function rangeOf(o: RpslObject): Resource | undefined {
  const reader = rangeReaders[o.type];
  const attribute = reader && firstOf(o, o.type);
  return attribute && reader(cleanValue(attribute));
}

/** The addresses that the key of an object names; undefined for types without addresses. */
export function rangeOfKey(type: string, key: string): AddressRange | undefined {
  const reader = Object.hasOwn(rangeReaders, type) ? rangeReaders[type as ObjectTypeName] : undefined;
  const range = reader?.(type === 'route' || type === 'route6' ? key.replace(/AS\d+$/i, '') : key);
  return range && 'family' in range ? range : undefined;
}

/** Whether an object is the root of an address space, which represents unregistered space. */
export function isRoot({ type, key }: { readonly type: string; readonly key: string }): boolean {
  const range = type === 'inetnum' || type === 'inet6num' ? rangeOfKey(type, key) : undefined;
  return range !== undefined && isWholeSpace(range);
}

/** Parses an address or a prefix in any common form; `undefined` for other texts. */
export function parseNetwork(text: string): AddressRange | undefined {
  if (text.includes(':')) return parseIpv6Prefix(text);
  if (text.includes('/')) return parseIpv4Prefix(text);
  const address = parseIpv4(text);
  return address === undefined ? undefined : { family: 4, first: BigInt(address), last: BigInt(address) };
}
