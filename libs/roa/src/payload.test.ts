import { expect, test } from 'vitest';
import { readPayload } from './payload.js';

const good = { asn: 'AS64500', prefix: '192.0.2.0/24', maxLength: 25, ta: 'ripe' };

test('AS numbers may be texts or numbers', () => {
  const payload = { family: 4, first: 0xc0000200n, length: 24, text: '192.0.2.0/24', maxLength: 25, asn: 64500 };
  expect(readPayload(good)).toEqual(payload);
  expect(readPayload({ ...good, asn: 64500 })).toEqual(payload);
});

test('IPv6 prefixes keep the text of the export', () => {
  const payload = readPayload({ ...good, prefix: '2001:DB8:0:1::/64', maxLength: 64 });
  expect(payload).toMatchObject({ family: 6, first: 0x20010db8_00000001n << 64n, text: '2001:DB8:0:1::/64' });
});

test('without a maximum length the prefix itself is the longest', () => {
  expect(readPayload({ ...good, maxLength: undefined })?.maxLength).toBe(24);
});

test.each([
  ['asn', undefined],
  ['asn', '64500'],
  ['asn', 'AS4294967296'],
  ['asn', 4294967296],
  ['asn', -1],
  ['asn', 1.5],
  ['prefix', undefined],
  ['prefix', 24],
  ['prefix', '192.0.2.0'],
  ['prefix', '192.0.2/24'],
  ['prefix', '192.0.2.1/24'],
  ['prefix', '192.0.2.0/33'],
  ['prefix', '192.0.2.0 - 192.0.2.255'],
  ['prefix', '2001:db8::1/64'],
  ['prefix', '2001:db8::/129'],
  ['maxLength', 23],
  ['maxLength', 33],
  ['maxLength', '25'],
  ['maxLength', Number.NaN],
])('%s %j is not a payload', (name, value) => {
  expect(readPayload({ ...good, [name]: value })).toBeUndefined();
});

test.each([
  ['0.0.0.0/0', 0],
  ['255.255.255.255/32', 32],
  ['::/0', 128],
  ['2001:db8::/32', 128],
])('%s up to %d is a payload', (prefix, maxLength) => {
  expect(readPayload({ ...good, prefix, maxLength })).toMatchObject({ text: prefix, maxLength });
});
