import { describe, expect, it, test } from 'vitest';
import { addressesOf, placeIn, sizeText } from './address-space.js';

const range = (key: string, type = 'inetnum') => addressesOf({ source: 'TEST', type, key })!;

test('routes have the addresses of their prefix; other objects have none', () => {
  expect(range('192.0.2.0/24AS64500', 'route')).toEqual(range('192.0.2.0 - 192.0.2.255'));
  expect(range('2001:db8::/32AS64500', 'route6')).toEqual(range('2001:db8::/32', 'inet6num'));
  expect(addressesOf({ source: 'TEST', type: 'mntner', key: 'EXAMPLE-MNT' })).toBeUndefined();
});

it.each([
  ['192.0.2.128/25', { start: 0.5, width: 0.5 }],
  ['192.0.2.64/26', { start: 0.25, width: 0.25 }],
  ['192.0.2.0/24', { start: 0, width: 1 }],
])('%s is in 192.0.2.0/24 at %j', (inner, place) => {
  expect(placeIn(range('192.0.2.0/24'), range(inner))).toEqual(place);
});

describe('the size of a range in words', () => {
  it.each([
    ['192.0.2.1', '1 address'],
    ['192.0.2.0/24', '256 addresses'],
    ['10.0.0.0/8', '2^24 addresses'],
    ['2001:db8::/32', '2^96 addresses'],
    ['10.0.0.0 - 12.255.255.255', 'about 2^25 addresses'],
  ])('%s: %s', (key, words) => {
    expect(sizeText(range(key))).toBe(words);
  });
});
