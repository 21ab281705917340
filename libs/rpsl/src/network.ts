import type { AddressRange } from './address-range.js';
import { parseIpv4, parseIpv4Prefix } from './ipv4.js';
import { parseIpv6Prefix } from './ipv6.js';

/** Parses an address or a prefix in any common form; `undefined` for other texts. */
export function parseNetwork(text: string): AddressRange | undefined {
  if (text.includes(':')) return parseIpv6Prefix(text);
  if (text.includes('/')) return parseIpv4Prefix(text);
  const address = parseIpv4(text);
  return address === undefined ? undefined : { family: 4, first: BigInt(address), last: BigInt(address) };
}
