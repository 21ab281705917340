import {
  type AddressRange,
  type AsRange,
  parseAsBlock,
  parseAsNumber,
  parseIpv4Prefix,
  parseIpv6Prefix,
} from '@cadastre/rpsl';
import { type registrySettings, type Setting, setting, type Values } from '@cadastre/service';
import { defaultPolicy, type Policy } from './domain/policy.js';
import type { StorageQuota } from './domain/storage-quota.js';

/** Settings of the registry's policy. */
export const policySettings = {
  policyProfile: setting.oneOf(['none', 'rir'], {
    name: 'CADASTRE_POLICY_PROFILE',
    doc: "Rules beside those of every registry: none, or an RIR's, under which the statuses of networks form a hierarchy.",
    default: 'none',
  }),
  countries: setting.list({
    name: 'CADASTRE_POLICY_COUNTRIES',
    doc: 'Codes that the attribute country may have; default: those of ISO 3166 and EU.',
    default: [],
  }),
  bogons: bogonsOf({
    name: 'CADASTRE_POLICY_BOGONS',
    doc: 'Prefixes in which routes are refused, and AS numbers, or ranges as AS64512-AS65534, that may not originate a route.',
  }),
  newAddressesPerDay: setting.integer({
    name: 'CADASTRE_POLICY_NEW_ADDRESSES_PER_DAY',
    doc: 'E-mail addresses to notify that one account may name on a day (UTC) if this registry does not know them: each gets a mail that asks for its consent.',
    default: 50,
    min: 0,
    max: 1_000_000,
  }),
};

/** The policy as configured, with defaults for the rest. */
export function policyOf(settings: Values<typeof policySettings & typeof registrySettings>): Policy {
  const codes = (set: readonly string[]) => new Set(set.map((code) => code.toUpperCase()));
  return {
    ...defaultPolicy,
    profile: settings.policyProfile,
    ...(settings.countries.length > 0 && { countries: codes(settings.countries) }),
    operatorMaintainers: settings.operatorMaintainers,
    bogons: settings.bogons.prefixes,
    reservedAsNumbers: settings.bogons.asNumbers,
    newAddressesPerDay: settings.newAddressesPerDay,
  };
}

interface Bogons {
  readonly prefixes: readonly AddressRange[];
  readonly asNumbers: readonly AsRange[];
}

function bogonsOf(named: { name: string; doc: string }): Setting<Bogons> {
  return {
    ...setting.list({ ...named, default: [] }),
    form: 'prefix,AS1,AS2-AS3,...',
    fallback: { prefixes: [], asNumbers: [] },
    parse(text) {
      const [prefixes, asNumbers]: [AddressRange[], AsRange[]] = [[], []];
      for (const part of text.split(',').map((one) => one.trim())) {
        const prefix = parseIpv4Prefix(part) ?? parseIpv6Prefix(part);
        const range = parseAsNumbers(part);
        if (prefix !== undefined) prefixes.push(prefix);
        else if (range !== undefined) asNumbers.push(range);
        else return { problem: `has an invalid element: "${part}"` };
      }
      return { value: { prefixes, asNumbers } };
    },
  };
}

function parseAsNumbers(text: string): AsRange | undefined {
  const number = parseAsNumber(text);
  return number === undefined ? parseAsBlock(text) : { first: number, last: number };
}

const usual = { account: 50_000_000, mntner: 1_000_000_000 };

/** How many bytes may be stored. */
export const storageSettings = {
  storageQuota: quota({
    name: 'CADASTRE_STORAGE_QUOTAS',
    doc: 'Bytes of object texts that an account, or a client without one, may store in a day (UTC), and that a mntner may store in all, with their history; -1: no limit. Those of single ones come after a name: "account=10000000, account:alice@example.net=-1, mntner:EXAMPLE-MNT=20000000000".',
  }),
};

function quota(named: { name: string; doc: string }): Setting<StorageQuota> {
  const texts = setting.text({ ...named, default: `account=${usual.account}, mntner=${usual.mntner}` });
  return {
    ...texts,
    form: 'account=BYTES,mntner:NAME=BYTES,...',
    fallback: { perDay: usual.account, perMntner: usual.mntner, overrides: new Map() },
    parse(text) {
      const limits = new Map<string, number>();
      for (const part of text.split(',').map((one) => one.trim())) {
        const [, who, bytes] = /^((?:account|mntner)(?::[^\s=]+)?)=(-1|\d{1,15})$/i.exec(part) ?? [];
        if (who === undefined) return { problem: `has an invalid element: "${part}"` };
        limits.set(who.toLowerCase(), bytes === '-1' ? Infinity : Number(bytes));
      }
      const { account: perDay, mntner: perMntner } = { ...usual, ...Object.fromEntries(limits) };
      for (const name of Object.keys(usual)) limits.delete(name);
      return { value: { perDay, perMntner, overrides: limits } };
    },
  };
}
