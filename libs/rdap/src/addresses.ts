import { type AddressRange, formatIpv4, formatIpv6Rfc5952, prefixLength } from '@cadastre/rpsl';

/** An address, IPv6 as RFC 5952 writes it. */
export function addressText(family: 4 | 6, address: bigint): string {
  return family === 4 ? formatIpv4(address) : formatIpv6Rfc5952(address);
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
