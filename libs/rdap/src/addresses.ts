import { type AddressRange, formatIpv4, prefixLength } from '@cadastre/rpsl';

/** An address, IPv6 as RFC 5952 writes it. */
export function addressText(family: 4 | 6, address: bigint): string {
  return family === 4 ? formatIpv4(address) : ipv6Text(address);
}

/** A prefix of a range. */
export interface Prefix {
  readonly first: bigint;
  readonly length: number;
}

/** The minimal list of prefixes that cover a range, in ascending order: at most two for each bit of an address. */
export function prefixesOf(range: AddressRange): Prefix[] {
  const whole = prefixLength(range);
  if (whole !== undefined) return [{ first: range.first, length: whole }];
  const bits = range.family === 4 ? 32 : 128;
  const prefixes: Prefix[] = [];
  for (let first = range.first; first <= range.last; ) {
    const aligned = first === 0n ? bits : log2(first & -first);
    const hostBits = Math.min(aligned, log2(range.last - first + 1n));
    prefixes.push({ first, length: bits - hostBits });
    first += 1n << BigInt(hostBits);
  }
  return prefixes;
}

/** The largest exponent of two that is not above a positive number. */
function log2(number: bigint): number {
  return number.toString(2).length - 1;
}

/** Lower case; `::` for the first of the longest runs of two or more zero groups. */
function ipv6Text(address: bigint): string {
  const groups: number[] = [];
  for (let shift = 96n; shift >= 0n; shift -= 32n) {
    const word = Number((address >> shift) & 0xffffffffn);
    groups.push(word >>> 16, word & 0xffff);
  }
  const { start, length } = longestZeroRun(groups);
  if (length < 2) return groups.map(hex).join(':');
  return `${groups.slice(0, start).map(hex).join(':')}::${groups
    .slice(start + length)
    .map(hex)
    .join(':')}`;
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let length = 0;
  for (const [i, group] of groups.entries()) {
    length = group === 0 ? length + 1 : 0;
    if (length > best.length) best = { start: i - length + 1, length };
  }
  return best;
}

function hex(group: number): string {
  return group.toString(16);
}
