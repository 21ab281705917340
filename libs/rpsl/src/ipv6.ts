import type { AddressRange } from './address-range.js';
import { parseDecimal } from './decimal.js';
import { parseIpv4 } from './ipv4.js';

const groupCount = 8;
/** Longest form: brackets, six groups and a dotted quad. */
const maxTextLength = 47;

/** Any RFC 4291 text form, optionally in square brackets; IPv4-mapped addresses are refused. */
export function parseIpv6(text: string): bigint | undefined {
  const groups = parseGroups(text);
  return groups && toBigint(groups);
}

/** `address[/length]`; host bits are cleared, a missing length means 128. */
export function parseIpv6Prefix(text: string): AddressRange | undefined {
  const slash = text.indexOf('/');
  const length = slash < 0 ? 128 : parseDecimal(text, slash + 1, text.length, 128);
  const groups = length < 0 ? undefined : parseGroups(slash < 0 ? text : text.slice(0, slash));
  if (groups === undefined) return undefined;
  const last = groups.slice();
  for (let i = 0; i < groupCount; i++) {
    const hostMask = 0xffff >>> Math.min(Math.max(length - i * 16, 0), 16);
    groups[i] = groups[i]! & ~hostMask;
    last[i] = last[i]! | hostMask;
  }
  return { family: 6, first: toBigint(groups), last: toBigint(last) };
}

/** The network of a length around an address, as a prefix. */
export function formatIpv6Network(address: bigint, length: number): string {
  const hostBits = BigInt(128 - length);
  return `${formatIpv6((address >> hostBits) << hostBits)}/${length}`;
}

/**
 * Lower-case text with one `::`. Keys depend on the registry's own compression rule, which is not RFC 5952: compress
 * the longest run of zero groups, the last one on a tie, even a single group.
 */
export function formatIpv6(address: bigint): string {
  return compressed(address, (length, best) => length > 0 && length >= best);
}

/** As RFC 5952 writes it: `::` for the first of the longest runs of two or more zero groups. */
export function formatIpv6Rfc5952(address: bigint): string {
  return compressed(address, (length, best) => length > 1 && length > best);
}

function parseGroups(text: string): number[] | undefined {
  if (text.length > maxTextLength) return undefined;
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  const gap = bare.indexOf('::');
  const groups: number[] = [];
  const tail: number[] = [];
  const wellFormed =
    gap < 0
      ? readGroups(bare, true, groups)
      : readGroups(bare.slice(0, gap), false, groups) && readGroups(bare.slice(gap + 2), true, tail);
  const missing = groupCount - groups.length - tail.length;
  if (!wellFormed || (gap < 0 ? missing !== 0 : missing < 1)) return undefined;
  for (let i = 0; i < missing; i++) groups.push(0);
  groups.push(...tail);
  return isIpv4Mapped(groups) ? undefined : groups;
}

/** Appends the colon-separated groups of `text`, of which the last may be a dotted quad. False when malformed. */
function readGroups(text: string, mayEndInQuad: boolean, groups: number[]): boolean {
  if (text === '') return true;
  const parts = text.split(':');
  return parts.every((part, i) => {
    if (mayEndInQuad && i === parts.length - 1 && part.includes('.')) return readQuad(part, groups);
    const group = parseHexGroup(part);
    groups.push(group);
    return group >= 0;
  });
}

function readQuad(text: string, groups: number[]): boolean {
  const address = parseIpv4(text);
  if (address === undefined) return false;
  groups.push(address >>> 16, address & 0xffff);
  return true;
}

function parseHexGroup(text: string): number {
  if (text.length === 0 || text.length > 4) return -1;
  let value = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = hexDigit(text.charCodeAt(at));
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

function isIpv4Mapped(groups: readonly number[]): boolean {
  return groups[5] === 0xffff && groups.every((group, i) => i >= 5 || group === 0);
}

function toBigint(groups: readonly number[]): bigint {
  const word = (i: number) => BigInt(groups[i]! * 65536 + groups[i + 1]!);
  return (((((word(0) << 32n) | word(2)) << 32n) | word(4)) << 32n) | word(6);
}

function toGroups(address: bigint): number[] {
  const groups: number[] = [];
  for (let shift = 96n; shift >= 0n; shift -= 32n) {
    const word = Number((address >> shift) & 0xffffffffn);
    groups.push(word >>> 16, word & 0xffff);
  }
  return groups;
}

/** Writes `::` for the best run of zero groups. `isBetter` compares the lengths of a later run and the best so far. */
function compressed(address: bigint, isBetter: (length: number, best: number) => boolean): string {
  const groups = toGroups(address);
  let start = 0;
  let best = 0;
  let length = 0;
  groups.forEach((group, i) => {
    length = group === 0 ? length + 1 : 0;
    if (!isBetter(length, best)) return;
    start = i - length + 1;
    best = length;
  });
  if (best === 0) return inHex(groups);
  return `${inHex(groups.slice(0, start))}::${inHex(groups.slice(start + best))}`;
}

function inHex(groups: readonly number[]): string {
  return groups.map((group) => group.toString(16)).join(':');
}
