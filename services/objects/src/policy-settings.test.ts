import { formatPrefix } from '@cadastre/rpsl';
import { readSettings, registrySettings } from '@cadastre/service';
import { expect, test } from 'vitest';
import { defaultPolicy } from './domain/policy.js';
import { policyOf, policySettings } from './policy-settings.js';

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
