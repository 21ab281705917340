import { parseIpv4Prefix, parseIpv6Prefix } from '@cadastre/rpsl';
import { expect, test } from 'vitest';
import { isInPrefixRange } from './mnt-routes.js';

test.each([
  ['192.0.2.0/24', '192.0.2.0/24', true],
  ['192.0.2.0/25', '192.0.2.0/24', false],
  ['192.0.2.0/24', '192.0.2.0/24^+', true],
  ['192.0.2.7/32', '192.0.2.0/24^+', true],
  ['192.0.2.0/24', '192.0.2.0/24^-', false],
  ['192.0.2.128/25', '192.0.2.0/24^-', true],
  ['192.0.2.0/25', '192.0.2.0/24^25', true],
  ['192.0.2.0/26', '192.0.2.0/24^25', false],
  ['192.0.2.0/26', '192.0.2.0/24^25-26', true],
  ['192.0.2.0/27', '192.0.2.0/24^25-26', false],
  ['192.0.2.0/24', '192.0.2.0/24^25-26', false],
  ['192.0.0.0/16', '192.0.2.0/24^+', false],
  ['198.51.100.0/24', '192.0.2.0/24^+', false],
  ['2001:db8:7::/48', '2001:db8::/32^48', true],
  ['2001:db8::/32', '192.0.2.0/24^+', false],
  ['192.0.2.0/24', 'nonsense', false],
])('%s in %s: %s', (prefix, range, expected) => {
  expect(isInPrefixRange((parseIpv4Prefix(prefix) ?? parseIpv6Prefix(prefix))!, range)).toBe(expected);
});
