import { expect, test } from 'vitest';
import { readAddresses, readResource } from './resource.js';

test.each([
  ['192.0.2.1', 'inetnum'],
  ['192.0.2.0/24', 'inetnum'],
  ['192.0.2.0 - 192.0.2.99', 'inetnum'],
  ['192.0.2.0-192.0.2.99', 'inetnum'],
  [' 192.0.2.1 ', 'inetnum'],
  ['2001:db8::1', 'inet6num'],
  ['2001:DB8::/32', 'inet6num'],
  ['AS64500', 'aut-num'],
  ['as4294967295', 'aut-num'],
])('%s is a resource registered as %s', (text, type) => {
  expect(readResource(text)?.type).toBe(type);
});

test.each([
  '',
  'foo',
  '64500',
  'AS064500',
  'AS4294967296',
  'AS64500 - AS64510',
  '192.0.2.256',
  '192.0.2.9 - 192.0.2.1',
  '2001:db8::/129',
  'example.net',
])('"%s" is none', (text) => {
  expect(readResource(text)).toBeUndefined();
});

test('AS numbers are not addresses', () => {
  expect(readAddresses('AS64500')).toBeUndefined();
  expect(readAddresses('192.0.2.1')).toEqual({ type: 'inetnum', text: '192.0.2.1' });
});
