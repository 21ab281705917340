import { type AddressRange, type AsRange, countries, languages } from '@cadastre/rpsl';

/** Rules beyond those of every registry (decision W12): none, or those of an RIR. */
export type PolicyProfile = 'none' | 'rir';

/** The part of the rules that a registry may configure. Codes are upper case. */
export interface Policy {
  readonly profile: PolicyProfile;
  /** Codes that `country` may hold. */
  readonly countries: ReadonlySet<string>;
  /** Codes that `language` may hold. */
  readonly languages: ReadonlySet<string>;
  /** Names of the mntners of the registry operator. */
  readonly operatorMaintainers: readonly string[];
  /** Prefixes for which routes are refused. */
  readonly bogons: readonly AddressRange[];
  /** AS numbers that may not originate routes. */
  readonly reservedAsNumbers: readonly AsRange[];
  /** Suffixes for fixed nic-hdls besides the own source and countries: names of registries. */
  readonly handleSuffixes: ReadonlySet<string>;
  /** Types whose `auth` may hold MD5 passwords; none, because nothing checks them. */
  readonly passwordTypes: ReadonlySet<'mntner' | 'irt'>;
  /** Minimum length of RSA and DSA keys in key-certs. */
  readonly minKeyBits: number;
  /** Hash algorithms that certificates must not be signed with; lower case, without hyphens. */
  readonly weakHashes: readonly string[];
  /** Maximum number of objects that one write may name: each takes a lock, and a database has a limited number. */
  readonly maxReferences: number;
  /** Maximum addresses to notify that an account may name in a day (UTC) if the registry does not know them. */
  readonly newAddressesPerDay: number;
  /** Address of a page about creating the first mntner; if set, a message names it. */
  readonly firstMaintainerPage?: string;
}

/** The operator's maintainers. */
export function operatorsOf({ operatorMaintainers }: Policy) {
  return operatorMaintainers.map((name) => ({ type: 'mntner', key: name.toLowerCase() }) as const);
}

/** The default policy. */
export const defaultPolicy: Policy = {
  profile: 'none',
  countries,
  languages,
  operatorMaintainers: [],
  bogons: [],
  reservedAsNumbers: [],
  handleSuffixes: new Set(['RIPE', 'ORG', 'ARIN', 'LACNIC', 'RADB', 'APNIC', 'RIPN', 'AFRINIC']),
  passwordTypes: new Set(),
  minKeyBits: 2048,
  weakHashes: ['md2', 'md4', 'md5', 'sha1', 'ripemd160'],
  maxReferences: 500,
  newAddressesPerDay: 50,
};
