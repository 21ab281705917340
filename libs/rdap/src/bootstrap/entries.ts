import { type AddressRange, parseIpv4Prefix, parseIpv6Prefix } from '@cadastre/rpsl';
import { addressText, prefixesOf } from '../addresses.js';
import type { Span } from './spans.js';

/** The largest AS number. */
export const lastAsNumber = 0xff_ff_ff_ffn;

/** Reads a prefix of a bootstrap file. */
export function readPrefixEntry(family: 4 | 6, text: string): Span | undefined {
  if (!text.includes('/')) return undefined;
  return family === 4 ? parseIpv4Prefix(text) : parseIpv6Prefix(text);
}

/** Reads an AS number or a range of them, as bootstrap files have them: "64496-64511". */
export function readAsEntry(text: string): Span | undefined {
  const [, from, to = from] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(text) ?? [];
  if (from === undefined) return undefined;
  const [first, last] = [BigInt(from), BigInt(to!)];
  return first <= last && last <= lastAsNumber ? { first, last } : undefined;
}

/** The addresses as prefixes. */
export function printPrefixes(family: 4 | 6, { first, last }: Span): string[] {
  return prefixesOf({ family, first, last }).map((one) => `${addressText(family, one.first)}/${one.length}`);
}

/** AS numbers as one entry. */
export function printAsNumbers({ first, last }: Span): string {
  return first === last ? `${first}` : `${first}-${last}`;
}

/** The reverse zones of the addresses, those of whole octets (at most three) or nibbles that contain each prefix. */
export function printReverseZones(range: AddressRange): string[] {
  const { bits, width, max, base, suffix } = reverseTrees[range.family];
  return prefixesOf(range).flatMap(({ first, length }) => {
    const labels = Math.min(max, Math.max(1, Math.ceil(length / bits)));
    const step = 1n << BigInt(width - labels * bits);
    const zones = 2 ** Math.max(0, labels * bits - length);
    return Array.from({ length: zones }, (_, at) => zoneName(first + BigInt(at) * step, labels));
  });

  function zoneName(address: bigint, labels: number): string {
    const label = (at: number) => Number((address >> BigInt(width - (at + 1) * bits)) & BigInt(2 ** bits - 1));
    return [...Array.from({ length: labels }, (_, at) => label(at).toString(base)).reverse(), suffix].join('.');
  }
}

const reverseTrees = {
  4: { bits: 8, width: 32, max: 3, base: 10, suffix: 'in-addr.arpa' },
  6: { bits: 4, width: 128, max: 32, base: 16, suffix: 'ip6.arpa' },
} as const;
