import type { AddressRange } from './address-range.js';
import { parseStrictDecimal } from './decimal.js';
import { ipv4Range } from './ipv4.js';

const roots: ReadonlySet<string> = new Set(['in-addr.arpa', 'ip6.arpa', 'e164.arpa']);

/** Whether a domain is the root of all delegations of addresses or telephone numbers; it has no range of its own. */
export function isDelegationRoot(domain: string): boolean {
  return roots.has(withoutTrailingDot(domain.toLowerCase()));
}

/** A DNS name without a trailing dot. Returns other texts unchanged. */
export function withoutTrailingDot(name: string): string {
  return /[^. ]\.$/.test(name) ? name.slice(0, -1) : name;
}

const ipv4Suffix = '.in-addr.arpa';
const ipv6Suffix = '.ip6.arpa';

/**
 * The addresses of a reverse domain: 1 to 4 octets under in-addr.arpa, of which the first of four may be
 * a range `a-b`; 1 to 32 nibbles under ip6.arpa. Any letter case, trailing dot allowed. Undefined for other domains.
 */
export function reverseDomainRange(domain: string): AddressRange | undefined {
  const name = withoutTrailingDot(domain.toLowerCase());
  if (name.endsWith(ipv4Suffix)) return octetsRange(name.slice(0, -ipv4Suffix.length).split('.').reverse());
  if (name.endsWith(ipv6Suffix)) return nibblesRange(name.slice(0, -ipv6Suffix.length));
  return undefined;
}

function octetsRange(octets: readonly string[]): AddressRange | undefined {
  if (octets.length > 4) return undefined;
  let first = 0;
  let last = 0;
  for (const [index, text] of octets.entries()) {
    const ends = octetEnds(text, index === 3);
    if (ends === undefined) return undefined;
    first = first * 256 + ends.first;
    last = last * 256 + ends.last;
  }
  const size = 256 ** (4 - octets.length);
  return ipv4Range(first * size, last * size + size - 1);
}

function octetEnds(text: string, mayBeRange: boolean): { first: number; last: number } | undefined {
  const dash = mayBeRange ? text.indexOf('-') : -1;
  const first = parseStrictDecimal(text, 0, dash < 0 ? text.length : dash, 255);
  const last = dash < 0 ? first : parseStrictDecimal(text, dash + 1, text.length, 255);
  const everything = dash >= 0 && first === 0 && last === 255;
  return first < 0 || last < first || everything ? undefined : { first, last };
}

function nibblesRange(labels: string): AddressRange | undefined {
  if (!/^[0-9a-f](?:\.[0-9a-f]){0,31}$/.test(labels)) return undefined;
  const digits = labels.split('.').reverse().join('');
  const shift = BigInt(128 - 4 * digits.length);
  const first = BigInt(`0x${digits}`) << shift;
  return { family: 6, first, last: first | ((1n << shift) - 1n) };
}
