import type { AddressRange, AsRange } from '@cadastre/rpsl';
import { countries } from './countries.js';
import { languages } from './languages.js';

/** A set of rules that a registry has beside those of every registry (decision W12): none, or those of an RIR. */
export type PolicyProfile = 'none' | 'rir';

/** What a registry may decide for itself without changing a rule. Codes are upper case. */
export interface Policy {
  readonly profile: PolicyProfile;
  /** Codes that `country` may hold. */
  readonly countries: ReadonlySet<string>;
  /** Codes that `language` may hold. */
  readonly languages: ReadonlySet<string>;
  /** Names of the mntners of the registry's operator. */
  readonly operatorMaintainers: readonly string[];
  /** Prefixes for which no route is created. */
  readonly bogons: readonly AddressRange[];
  /** AS numbers that originate no route. */
  readonly reservedAsNumbers: readonly AsRange[];
  /** Registries, besides the own source and countries, after which a fixed nic-hdl may be named. */
  readonly handleSuffixes: ReadonlySet<string>;
  /** Types whose `auth` may hold MD5 passwords; none as long as nothing can check one. */
  readonly passwordTypes: ReadonlySet<'mntner' | 'irt'>;
  /** Length that RSA and DSA keys of key-certs have at least. */
  readonly minKeyBits: number;
  /** Hashes by which certificates must not be signed; lower case, without hyphens. */
  readonly weakHashes: readonly string[];
  /** How many objects one write may name: each is locked, and the locks of a database are limited. */
  readonly maxReferences: number;
  /** Address of a page that helps newcomers to make their first mntner; named in a message when it is set. */
  readonly firstMaintainerPage?: string;
}

/** The policy of a registry that has not decided otherwise. */
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
};
