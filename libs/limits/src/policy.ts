import { type AddressRange, parseIpv4, parseIpv6, parseNetwork, prefixLength } from '@cadastre/rpsl';
import { SettingsError } from '@cadastre/service';
import type { LimitSettings } from './settings.js';

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

/**
 * Limits of an account are this many times those of an address: its owner is known, and the operator can write to them.
 */
const accountFactor = 10;
const widerForAccounts: ReadonlySet<LimitName> = new Set([
  'queries',
  'searches',
  'updates',
  'search-objects',
  'bulk-resources',
  'bytes',
  'processing',
]);

/** The limits of exempt networks: none. */
export const unlimited: LimitValues = valuesOf(() => -1);

/** Finds the limits of a client. */
export interface LimitPolicy {
  /** The limits of an address; `unlimited` itself when the address is exempt. */
  ofAddress(address: string): LimitValues;
  /**
   * The limits of an account, by its name in any letter case: the override for the account, or else the larger of each
   * usual limit of an account and that of the address that uses it.
   */
  ofAccount(name: string, ofAddress: LimitValues): LimitValues;
}

/** Reads the policy from the settings. Throws a SettingsError that names every invalid entry. */
export function createLimitPolicy(settings: LimitSettings): LimitPolicy {
  const usual = addressLimits(settings);
  const usualOfAccount = valuesOf((name) => usual[name] * (widerForAccounts.has(name) ? accountFactor : 1));
  const ofAccountAt = new Map<LimitValues, LimitValues>();
  const networks: [AddressRange, LimitValues][] = [];
  const accounts = new Map<string, LimitValues>();
  const problems: string[] = [];
  for (const entry of settings.limitsOverrides) {
    const read = readOverride(entry, usual, usualOfAccount);
    if (typeof read === 'string') problems.push(`CADASTRE_LIMITS_OVERRIDES: ${read}`);
    else if (typeof read.who === 'string') accounts.set(read.who, read.limits);
    else networks.push([read.who, read.limits]);
  }
  for (const entry of settings.limitsExempt) {
    const network = parseNetwork(entry);
    if (network) networks.push([network, unlimited]);
    else problems.push(`CADASTRE_LIMITS_EXEMPT: "${entry}" is neither an address nor a prefix`);
  }
  if (problems.length > 0) throw new SettingsError(problems);
  const known = createNetworks(networks);
  return {
    ofAddress: (address) => known.find(address) ?? usual,
    ofAccount(name, ofAddress) {
      const own = accounts.get(name.toLowerCase()) ?? ofAccountAt.get(ofAddress);
      if (own !== undefined) return own;
      const larger = valuesOf((limit) => Math.max(usualOfAccount[limit], ofAddress[limit]));
      // The map stays as small as the settings: it has a key for each override, and one for all other addresses.
      ofAccountAt.set(ofAddress, larger);
      return larger;
    },
  };
}

function addressLimits(settings: LimitSettings): LimitValues {
  const given: Record<LimitName, number> = {
    'personal-objects': settings.personalObjects,
    queries: settings.queriesPerSecond,
    searches: settings.searchesPerSecond,
    updates: settings.updatesPerSecond,
    'concurrent-requests': settings.concurrentRequests,
    'concurrent-searches': settings.concurrentSearches,
    'concurrent-updates': settings.concurrentUpdates,
    'concurrent-streams': settings.concurrentStreams,
    'search-objects': settings.searchObjects,
    'bulk-resources': settings.bulkResources,
    'failed-credentials': settings.failedCredentials,
    'unknown-accounts': settings.unknownAccounts,
    bytes: settings.bytes,
    processing: settings.processing,
  };
  return valuesOf((name) => given[name]);
}

function valuesOf(given: (name: LimitName) => number): LimitValues {
  const value = (name: LimitName) => (given(name) < 0 ? Number.POSITIVE_INFINITY : given(name));
  return Object.fromEntries(limitNames.map((name) => [name, value(name)])) as Record<LimitName, number>;
}

interface Override {
  /** A network, or an account's name in lower case. */
  readonly who: AddressRange | string;
  readonly limits: LimitValues;
}

/** Returns an override, or a sentence about what is wrong with it. */
function readOverride(entry: string, ofAddress: LimitValues, ofAccount: LimitValues): Override | string {
  const [whoText = '', ...pairs] = entry.split(/\s+/);
  const who = whoText.startsWith('account:') ? whoText.slice(8).toLowerCase() : parseNetwork(whoText);
  if (who === undefined || who === '') return `"${whoText}" is neither an address, a prefix nor account:NAME`;
  const changes = pairs.map(readChange);
  const bad = pairs.filter((_, index) => changes[index] === undefined);
  if (bad.length > 0 || pairs.length === 0) {
    return `"${entry}": expected after ${whoText} is NAME=NUMBER with one of ${limitNames.join(', ')}`;
  }
  const given = Object.fromEntries(changes.filter((change) => change !== undefined));
  const usual = typeof who === 'string' ? ofAccount : ofAddress;
  return { who, limits: valuesOf((name) => given[name] ?? usual[name]) };
}

function readChange(pair: string): [LimitName, number] | undefined {
  const [, nameText, number] = /^([a-z-]+)=(-1|\d{1,9})$/.exec(pair) ?? [];
  const name = limitNames.find((one) => one === nameText);
  return name && [name, Number(number)];
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
