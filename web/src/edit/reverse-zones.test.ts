import { checkSyntax } from '@cadastre/rpsl';
import { expect, test } from 'vitest';
import { maxObjects } from '../api/batch.js';
import { rangeOfText } from '../object/address-space.js';
import { elementsOf, reverseZones, zoneObject } from './reverse-zones.js';

test.each([
  ['10.0.0.0/8', ['10.in-addr.arpa']],
  ['10.0.0.0/15', ['0.10.in-addr.arpa', '1.10.in-addr.arpa']],
  ['192.0.2.0/24', ['2.0.192.in-addr.arpa']],
  ['192.0.2.0/23', ['2.0.192.in-addr.arpa', '3.0.192.in-addr.arpa']],
  ['192.0.2.64/26', ['64-127.2.0.192.in-addr.arpa']],
  ['192.0.2.7', ['7.2.0.192.in-addr.arpa']],
  ['192.0.2.128 - 192.0.4.3', ['128-255.2.0.192.in-addr.arpa', '3.0.192.in-addr.arpa', '0-3.4.0.192.in-addr.arpa']],
  ['2001:db8::/32', ['8.b.d.0.1.0.0.2.ip6.arpa']],
  ['2001:db8::/31', ['8.b.d.0.1.0.0.2.ip6.arpa', '9.b.d.0.1.0.0.2.ip6.arpa']],
  ['2001:db8:40::/43', ['4.0.0.8.b.d.0.1.0.0.2.ip6.arpa', '5.0.0.8.b.d.0.1.0.0.2.ip6.arpa']],
])('%s has the zones %j', (text, zones) => {
  expect(reverseZones(rangeOfText(text)!)).toEqual(zones);
  for (const zone of zones) expect(checkSyntax('domain', 'domain', zone)).toBe(true);
});

test('a range with too many zones has one more than may be created together', () => {
  expect(reverseZones(rangeOfText('10.0.0.0/9')!)).toHaveLength(maxObjects + 1);
  expect(reverseZones(rangeOfText('10.0.0.0/10')!)).toHaveLength(64);
});

test.each(['', 'AS64500', '192.0.2.1/24', 'example.net'])('%j has no addresses', (text) => {
  expect(rangeOfText(text)).toBeUndefined();
});

test('lists have lines or commas', () => {
  expect(elementsOf(' ns1.example.net,\nns2.example.net  192.0.2.1\n\nns1.example.net')).toEqual([
    'ns1.example.net',
    'ns2.example.net 192.0.2.1',
  ]);
});

test('the object of a zone has the common attributes', () => {
  const fields = {
    nserver: 'ns1.example.net\nns2.example.net',
    descr: '',
    'admin-c': 'AE1-TEST',
    'tech-c': 'AE1-TEST, BE1-TEST',
    'zone-c': 'AE1-TEST',
    'mnt-by': 'EXAMPLE-MNT',
  };
  const text = zoneObject('2.0.192.in-addr.arpa', fields, 'TEST').map(({ name, value }) => `${name}: ${value}`);
  expect(text).toEqual([
    'domain: 2.0.192.in-addr.arpa',
    'admin-c: AE1-TEST',
    'tech-c: AE1-TEST',
    'tech-c: BE1-TEST',
    'zone-c: AE1-TEST',
    'nserver: ns1.example.net',
    'nserver: ns2.example.net',
    'mnt-by: EXAMPLE-MNT',
    'source: TEST',
  ]);
});
