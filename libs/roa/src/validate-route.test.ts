import { expect, test } from 'vitest';
import { indexOfRoas } from '../tests/testing.js';
import { conflictFinder, routeValidator } from './validate-route.js';

const roas = indexOfRoas('AS64500 192.0.2.0/24', 'AS64501 2001:db8::/32-48', 'AS0 198.51.100.0/24');
const validate = routeValidator(() => roas);

// RFC 6811.
test.each([
  ['192.0.2.0/24', 'AS64500', 'valid'],
  ['192.0.2.0/24', 'as64500', 'valid'],
  ['192.0.2.0/25', 'AS64500', 'invalid'],
  ['192.0.2.0/24', 'AS64501', 'invalid'],
  ['198.51.100.0/24', 'AS0', 'invalid'],
  ['192.0.0.0/16', 'AS64500', 'not found'],
  ['203.0.113.0/24', 'AS64500', 'not found'],
  ['2001:db8:1::/48', 'AS64501', 'valid'],
  ['2001:db8:1::/49', 'AS64501', 'invalid'],
  ['AS64500', 'AS64500', undefined],
  ['192.0.2.0/24', '64500', undefined],
  ['192.0.2.0 - 192.0.2.2', 'AS64500', undefined],
  ['', '', undefined],
])('%s by %s is %s', (prefix, origin, expected) => {
  expect(validate(prefix, origin)).toBe(expected);
});

test('without payloads every state is unknown', () => {
  expect(routeValidator(() => undefined)('192.0.2.0/24', 'AS64500')).toBeUndefined();
});

test.each([
  ['192.0.2.0/25', 'AS64500', '192.0.2.0/24', 24, 64500],
  ['192.0.2.0/24', 'AS64501', '192.0.2.0/24', 24, 64500],
  ['2001:db8:1::/49', 'AS64500', '2001:db8::/32', 48, 64501],
  ['198.51.100.0/24', 'AS0', '198.51.100.0/24', 24, 0],
])('%s by %s is invalid because of the ROA for %s up to /%d by %d', (prefix, origin, text, maxLength, asn) => {
  expect(conflictFinder(() => roas)(prefix, origin)).toEqual({ text, maxLength, asn });
});

test.each([
  ['192.0.2.0/24', 'AS64500'],
  ['203.0.113.0/24', 'AS64500'],
  ['', ''],
])('no ROA makes %s by %s invalid', (prefix, origin) => {
  expect(conflictFinder(() => roas)(prefix, origin)).toBeUndefined();
});

test('of several ROAs that make a route invalid, one of its origin is found', () => {
  const several = indexOfRoas('AS64501 192.0.0.0/16', 'AS64500 192.0.2.0/24');
  expect(conflictFinder(() => several)('192.0.2.0/25', 'AS64500')).toMatchObject({ asn: 64500, maxLength: 24 });
});
