import { type AddressRange, parseIpv4, parseIpv6, prefixLength } from '@cadastre/rpsl';

/** The limits by name. */
export const limitNames = [
  'personal-objects',
  'queries',
  'searches',
  'updates',
  'concurrent-requests',
  'concurrent-searches',
  'concurrent-updates',
  'concurrent-streams',
  'search-objects',
  'bulk-resources',
  'failed-credentials',
  'unknown-accounts',
  'bytes',
  'processing',
] as const;

/** The name of a limit in settings, headers, metrics and responses. */
export type LimitName = (typeof limitNames)[number];

/** The limits on concurrent requests. */
export type ConcurrentLimit = Extract<LimitName, `concurrent-${string}`>;

/** The limits on what windows count. The maximum number of objects applies to each search alone. */
export type CountedLimit = Exclude<LimitName, ConcurrentLimit | 'search-objects'>;

/** The limits on the costs of requests, which are known only after the work. */
export const costLimits = ['bytes', 'processing'] as const;

export type CostLimit = (typeof costLimits)[number];

/** Whether a limit is one on concurrent requests. */
export function isConcurrent(name: LimitName): name is ConcurrentLimit {
  return name.startsWith('concurrent-');
}

/** The value of each limit; infinity for none. */
export type LimitValues = Readonly<Record<LimitName, number>>;

/** The limits of exempt networks: none. */
export const unlimited: LimitValues = valuesOf(() => -1);

/** The limits that an operator has chosen. */
export interface GivenLimits {
  /** Of every address, unless its network has others. */
  readonly ofAddress: LimitValues;
  /** Of every account, unless it has others. */
  readonly ofAccount: LimitValues;
  /** Of the addresses in these networks; `unlimited` itself for exempt ones. */
  readonly networks: readonly (readonly [AddressRange, LimitValues])[];
  /** Of these accounts, by their names in lower case. */
  readonly accounts: ReadonlyMap<string, LimitValues>;
  /** Seconds with a refused request after which a client is blocked; 0: never. */
  readonly blockAfter: number;
  /** Seconds for which it is blocked. */
  readonly blockTime: number;
}

/** Returns the limits that apply to a client. */
export interface LimitPolicy {
  /** The limits of an address; `unlimited` itself when the address is exempt. */
  ofAddress(address: string): LimitValues;
  /**
   * The limits of an account, by its name in any letter case: the override for the account, or else the larger of each
   * usual limit of an account and that of the address that uses it.
   */
  ofAccount(name: string, ofAddress: LimitValues): LimitValues;
}

/** Makes the policy of these limits. */
export function createLimitPolicy({ ofAddress, ofAccount, networks, accounts }: GivenLimits): LimitPolicy {
  const ofAccountAt = new Map<LimitValues, LimitValues>();
  const known = createNetworks(networks);
  return {
    ofAddress: (address) => known.find(address) ?? ofAddress,
    ofAccount(name, atAddress) {
      const own = accounts.get(name.toLowerCase()) ?? ofAccountAt.get(atAddress);
      if (own !== undefined) return own;
      const larger = valuesOf((limit) => Math.max(ofAccount[limit], atAddress[limit]));
      // The map stays as small as the settings: it has a key for each override, and one for all other addresses.
      ofAccountAt.set(atAddress, larger);
      return larger;
    },
  };
}

/** The value of each limit; -1 stands for none. */
export function valuesOf(given: (name: LimitName) => number): LimitValues {
  const value = (name: LimitName) => (given(name) < 0 ? Number.POSITIVE_INFINITY : given(name));
  return Object.fromEntries(limitNames.map((name) => [name, value(name)])) as Record<LimitName, number>;
}

/** A value for each of several networks. */
export interface Networks<T> {
  /** The value of the smallest network that contains the address; `undefined` when none does. */
  find(address: string): T | undefined;
}

/** Makes the table. Ranges must be prefixes. Of two entries for one prefix the later one applies. */
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

/** Removes the name of an interface, which link-local addresses may have. */
export function withoutZone(address: string): string {
  const mark = address.indexOf('%');
  return mark < 0 ? address : address.slice(0, mark);
}
