import { formatPrefix } from '@cadastre/rpsl';
import { readSettings, registrySettings } from '@cadastre/service';
import { expect, test } from 'vitest';
import { defaultPolicy } from './domain/policy.js';
import { policyOf, policySettings, storageSettings } from './policy-settings.js';

const policy = (environment: Record<string, string>) =>
  policyOf(readSettings({ ...policySettings, ...registrySettings }, environment));

test('settings have defaults', () => {
  expect(policy({})).toEqual(defaultPolicy);
});

test('codes in any letter case, prefixes of both families, AS numbers and ranges of them', () => {
  const set = policy({
    CADASTRE_POLICY_PROFILE: 'rir',
    CADASTRE_POLICY_COUNTRIES: 'nl, DE',
    CADASTRE_POLICY_BOGONS: '192.0.2.0/24,AS0, 2001:db8::/32,AS64512-AS65534',
    CADASTRE_OPERATOR_MAINTAINERS: 'ONE-MNT,TWO-MNT',
  });
  expect(set).toMatchObject({
    profile: 'rir',
    countries: new Set(['NL', 'DE']),
    operatorMaintainers: ['ONE-MNT', 'TWO-MNT'],
    reservedAsNumbers: [
      { first: 0, last: 0 },
      { first: 64_512, last: 65_534 },
    ],
  });
  expect(set.bogons.map(formatPrefix)).toEqual(['192.0.2.0/24', '2001:db8::/32']);
});

test.each([
  ['CADASTRE_POLICY_PROFILE', 'ripe'],
  ['CADASTRE_POLICY_BOGONS', '192.0.2.0/24,192.0.2.0/33'],
  ['CADASTRE_POLICY_BOGONS', 'AS1,many'],
])('%s=%s is refused', (name, value) => {
  expect(() => policy({ [name]: value })).toThrow(name);
});

const quotaOf = (text: string) => readSettings(storageSettings, { CADASTRE_STORAGE_QUOTAS: text }).storageQuota;

test('limits have defaults; -1 is none, also in an exception', () => {
  expect(quotaOf('')).toEqual({ perDay: 50_000_000, perMntner: 1_000_000_000, overrides: new Map() });
  expect(quotaOf('account=7')).toEqual({ perDay: 7, perMntner: 1_000_000_000, overrides: new Map() });
  expect(quotaOf('account=-1, mntner=0, account:Alice@Example.net=5, mntner:EXAMPLE-MNT=-1')).toEqual({
    perDay: Infinity,
    perMntner: 0,
    overrides: new Map([
      ['account:alice@example.net', 5],
      ['mntner:example-mnt', Infinity],
    ]),
  });
});

test.each(['EXAMPLE-MNT=5', 'mntner:EXAMPLE-MNT', 'mntner:EXAMPLE-MNT=1GB', 'address:192.0.2.1=5', 'mntner:A=-2'])(
  'refuses the exception %j',
  (entry) => {
    expect(() => quotaOf(entry)).toThrow('has an invalid element');
  },
);
