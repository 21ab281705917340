import { type AddressRange, parseIpv4, parseIpv6, prefixLength } from '@cadastre/rpsl';

/** What is known about networks, found by an address; the most specific network counts. */
export interface Networks<T> {
  /** What belongs to the smallest network that holds the address; `undefined` when none does. */
  find(address: string): T | undefined;
}

/** Makes the table. Ranges must be prefixes; of two entries for one prefix the later counts. */
export function createNetworks<T>(entries: Iterable<readonly [AddressRange, T]>): Networks<T> {
  const lengths: { readonly [family in 4 | 6]: Map<number, Map<bigint, T>> } = { 4: new Map(), 6: new Map() };
  for (const [range, value] of entries) {
    const length = prefixLength(range) ?? 0;
    const known = lengths[range.family].get(length) ?? new Map<bigint, T>();
    lengths[range.family].set(length, known.set(range.first, value));
  }
  const ordered = { 4: longestFirst(lengths[4]), 6: longestFirst(lengths[6]) };
  return {
    find(address) {
      const family = address.includes(':') ? 6 : 4;
      const bits = ordered[family].length === 0 ? undefined : bitsOf(address);
      if (bits === undefined) return undefined;
      for (const [length, values] of ordered[family]) {
        const rest = BigInt((family === 4 ? 32 : 128) - length);
        const value = values.get((bits >> rest) << rest);
        if (value !== undefined) return value;
      }
      return undefined;
    },
  };
}

function longestFirst<T>(lengths: Map<number, T>): [number, T][] {
  return [...lengths].sort(([a], [b]) => b - a);
}

function bitsOf(address: string): bigint | undefined {
  if (address.includes(':')) return parseIpv6(withoutZone(address));
  const bits = parseIpv4(address);
  return bits === undefined ? undefined : BigInt(bits);
}

/** A link-local address may come with the name of an interface. */
export function withoutZone(address: string): string {
  const mark = address.indexOf('%');
  return mark < 0 ? address : address.slice(0, mark);
}
