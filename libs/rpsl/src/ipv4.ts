import type { AddressRange } from './address-range.js';
import { parseDecimal, parseStrictDecimal } from './decimal.js';

export interface Ipv4Ends {
  readonly first: number;
  readonly last: number;
}

/** One full dotted quad without leading zeros, as an unsigned number. */
export function parseIpv4(text: string): number | undefined {
  return quad(text, 0, text.length, true);
}

/**
 * An IPv4 range as in inetnum: `first - last` (spaces optional), or `address/length` with zero host bits and possibly
 * without trailing octets; or one full address.
 */
export function parseIpv4Range(text: string): AddressRange | undefined {
  const ends = ipv4Ends(text);
  return ends && ipv4Range(ends.first, ends.last);
}

/** The first and last address of an IPv4 range (`parseIpv4Range`), as numbers. */
export function ipv4Ends(text: string): Ipv4Ends | undefined {
  const dash = text.indexOf('-');
  if (dash >= 0) {
    const first = quad(text, 0, skipSpacesBack(text, dash), false);
    const last = quad(text, skipSpaces(text, dash + 1), text.length, false);
    return first === undefined || last === undefined || first > last ? undefined : { first, last };
  }
  if (text.includes('/')) return prefixEnds(text);
  const address = parseIpv4(text);
  return address === undefined ? undefined : { first: address, last: address };
}

/** `address/length` with zero host bits; trailing octets are optional. */
export function parseIpv4Prefix(text: string): AddressRange | undefined {
  const ends = prefixEnds(text);
  return ends && ipv4Range(ends.first, ends.last);
}

function prefixEnds(text: string): Ipv4Ends | undefined {
  const slash = text.indexOf('/');
  const length = slash < 0 ? -1 : parseDecimal(text, slash + 1, text.length, 32);
  const first = length < 0 ? undefined : quad(text, 0, slash, false);
  const size = 2 ** (32 - length);
  return first === undefined || first % size !== 0 ? undefined : { first, last: first + size - 1 };
}

export function ipv4Range(first: number, last: number): AddressRange {
  return { family: 4, first: BigInt(first), last: BigInt(last) };
}

/** Dotted quad. */
export function formatIpv4(address: number | bigint): string {
  const n = Number(address);
  return `${n >>> 24}.${(n >>> 16) & 255}.${(n >>> 8) & 255}.${n & 255}`;
}

/** `first - last`, the stored form of an inetnum. */
export function formatIpv4Range(range: AddressRange | Ipv4Ends): string {
  return `${formatIpv4(range.first)} - ${formatIpv4(range.last)}`;
}

function quad(text: string, from: number, to: number, full: boolean): number | undefined {
  let address = 0;
  let octets = 0;
  let start = from;
  while (octets < 4) {
    const dot = text.indexOf('.', start);
    const end = dot < 0 || dot > to ? to : dot;
    const octet = full ? parseStrictDecimal(text, start, end, 255) : parseDecimal(text, start, end, 255);
    if (octet < 0) return undefined;
    address = address * 256 + octet;
    octets++;
    if (end === to) return full && octets < 4 ? undefined : address * 256 ** (4 - octets);
    start = end + 1;
  }
  return undefined;
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ') at++;
  return at;
}

function skipSpacesBack(text: string, from: number): number {
  let at = from;
  while (at > 0 && text[at - 1] === ' ') at--;
  return at;
}
