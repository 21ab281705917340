import { expect, test } from 'vitest';
import { readNames } from './named-objects.js';

const read = (text: string) => readNames(text, 'TEST').names.map(({ type, key }) => `${type} ${key}`);

test.each([
  ['inetnum 192.0.2.0 - 192.0.2.255', 'inetnum 192.0.2.0 - 192.0.2.255'],
  ['inetnum: 192.0.2.0/24', 'inetnum 192.0.2.0 - 192.0.2.255'],
  ['Route:   192.0.2.0/24AS64500', 'route 192.0.2.0/24AS64500'],
  ['person AE1-TEST # a contact', 'person AE1-TEST'],
  ['TEST/route6/2001:db8::/32AS64500', 'route6 2001:db8::/32AS64500'],
  ['/-/object/TEST/inetnum/192.0.2.0%20-%20192.0.2.255?view=tree', 'inetnum 192.0.2.0 - 192.0.2.255'],
  ['https://registry.example/-/edit/TEST/mntner/EXAMPLE-MNT', 'mntner EXAMPLE-MNT'],
  ['https://registry.example/test/mntner/EXAMPLE-MNT.json?unfiltered', 'mntner EXAMPLE-MNT'],
  ['192.0.2.0/24', 'inetnum 192.0.2.0 - 192.0.2.255'],
  ['192.0.2.0-192.0.2.127', 'inetnum 192.0.2.0 - 192.0.2.127'],
  ['2001:db8::/32', 'inet6num 2001:db8::/32'],
  ['192.0.2.0/24AS64500', 'route 192.0.2.0/24AS64500'],
  ['2001:db8::/32 as64500', 'route6 2001:db8::/32as64500'],
  ['AS64500', 'aut-num AS64500'],
  ['AS64500 - AS64510', 'as-block AS64500 - AS64510'],
  ['AS64500:AS-SET', 'as-set AS64500:AS-SET'],
  ['RS-ONE', 'route-set RS-ONE'],
  ['2.0.192.in-addr.arpa', 'domain 2.0.192.in-addr.arpa'],
  ['ORG-EX1-TEST', 'organisation ORG-EX1-TEST'],
  ['irt-example', 'irt irt-example'],
  ['EXAMPLE-MNT', 'mntner EXAMPLE-MNT'],
])('%s', (line, name) => {
  expect(read(line)).toEqual([name]);
});

test('each object counts once, in its order; blank lines and comments do not', () => {
  expect(read('% a result\n\nAS2\r\nas-set AS-ONE\n# twice\nAS2\naut-num: as2\n')).toEqual([
    'aut-num AS2',
    'as-set AS-ONE',
  ]);
});

test('lines that name no object of this source are reported', () => {
  const lines = ['AE1-TEST', 'inetnum nonsense', 'OTHER-GRS/mntner/X-MNT', 'nothing: at all', 'x'.repeat(10_000)];
  expect(readNames(lines.join('\n'), 'TEST')).toEqual({ names: [], unknown: lines });
});
