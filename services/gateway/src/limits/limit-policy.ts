import { type AddressRange, parseNetwork } from '@cadastre/rpsl';
import { SettingsError } from '@cadastre/service';
import type { LimitSettings } from './limit-settings.js';
import { createNetworks } from './networks.js';

/** The limits by name. */
export const limitNames = [
  'personal-objects',
  'queries',
  'updates',
  'concurrent-requests',
  'failed-credentials',
] as const;

/** The name of a limit, as settings, headers, metrics and answers call it. */
export type LimitName = (typeof limitNames)[number];

/** How much of each a client may have; infinity where there is no limit. */
export type LimitValues = Readonly<Record<LimitName, number>>;

/** For whom no limit holds. */
export const unlimited: LimitValues = valuesOf(() => -1);

/** Which limits hold for whom. */
export interface LimitPolicy {
  /** Those of an address; `unlimited` itself when it is exempt. */
  ofAddress(address: string): LimitValues;
  /** Those of an account, by its name in any letter case. */
  ofAccount(name: string): LimitValues;
}

type PolicySettings = Pick<
  LimitSettings,
  | 'personalObjects'
  | 'queriesPerSecond'
  | 'updatesPerSecond'
  | 'concurrentRequests'
  | 'failedCredentials'
  | 'limitsExempt'
  | 'limitsOverrides'
>;

/** Reads the policy from the settings. Throws a SettingsError that names every entry that cannot be read. */
export function createLimitPolicy(settings: PolicySettings): LimitPolicy {
  const usual = usualLimits(settings);
  const networks: [AddressRange, LimitValues][] = [];
  const accounts = new Map<string, LimitValues>();
  const problems: string[] = [];
  for (const entry of settings.limitsOverrides) {
    const read = readOverride(entry, usual);
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
    ofAccount: (name) => accounts.get(name.toLowerCase()) ?? usual,
  };
}

function usualLimits(settings: PolicySettings): LimitValues {
  const given: Record<LimitName, number> = {
    'personal-objects': settings.personalObjects,
    queries: settings.queriesPerSecond,
    updates: settings.updatesPerSecond,
    'concurrent-requests': settings.concurrentRequests,
    'failed-credentials': settings.failedCredentials,
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

/** An override, or a sentence about what is wrong with it. */
function readOverride(entry: string, usual: LimitValues): Override | string {
  const [whoText = '', ...pairs] = entry.split(/\s+/);
  const who = whoText.startsWith('account:') ? whoText.slice(8).toLowerCase() : parseNetwork(whoText);
  if (who === undefined || who === '') return `"${whoText}" is neither an address, a prefix nor account:NAME`;
  const changes = pairs.map(readChange);
  const bad = pairs.filter((_, index) => changes[index] === undefined);
  if (bad.length > 0 || pairs.length === 0) {
    return `"${entry}": expected after ${whoText} is NAME=NUMBER with one of ${limitNames.join(', ')}`;
  }
  const given = Object.fromEntries(changes.filter((change) => change !== undefined));
  return { who, limits: valuesOf((name) => given[name] ?? usual[name]) };
}

function readChange(pair: string): [LimitName, number] | undefined {
  const [, nameText, number] = /^([a-z-]+)=(-1|\d{1,9})$/.exec(pair) ?? [];
  const name = limitNames.find((one) => one === nameText);
  return name && [name, Number(number)];
}
