import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldKey, keyAttributesOf, keyForm, parseForeignKey, parseKey, primaryKey, shownKey } from './key.js';
import { parsed } from './parsed.fixture.js';
import { samples } from './samples.js';
import { type ObjectTypeName, objectTypeNames } from './types.js';

test.each([
  ['inetnum: 192.0.2/24', '192.0.2.0 - 192.0.2.255', '192.0.2.0 - 192.0.2.255'],
  ['inet6num: 2001:DB8:0::1/32', '2001:db8::/32', '2001:db8::/32'],
  ['as-block: as1-AS5', 'as1-AS5', 'as1 - as5'],
  ['aut-num: as64500', 'as64500', 'as64500'],
  ['route: 192.0.2/24\norigin: As64500', '192.0.2.0/24As64500', '192.0.2.0/24as64500'],
  ['route6: 2001:DB8::1/32\norigin: AS64500', '2001:db8::/32AS64500', '2001:db8::/32as64500'],
  ['domain: 2.0.192.IN-ADDR.arpa.', '2.0.192.IN-ADDR.arpa', '2.0.192.in-addr.arpa'],
  ['inet-rtr: RTR1.example.net.', 'RTR1.example.net', 'rtr1.example.net'],
  ['person: Jo Doe\nnic-hdl: JD1-Test # her', 'JD1-Test', 'jd1-test'],
  ['role: Desk\nnic-hdl: DE1-TEST', 'DE1-TEST', 'de1-test'],
  ['mntner: Example-MNT', 'Example-MNT', 'example-mnt'],
  ['mntner: not a name', 'not a name', 'not a name'],
  ['inetnum: nonsense', 'nonsense', 'nonsense'],
])('the object %j has the key %j, compared as %j', (text, shown, folded) => {
  expect(primaryKey(parsed(text))).toEqual({ shown, folded });
  expect(shownKey(parsed(text), folded)).toBe(shown);
});

test.each([
  ['person: Jo Doe', 'No %s: found in %s', ['nic-hdl', 'person']],
  ['route: 192.0.2.0/24', 'No %s: found in %s', ['origin', 'route']],
  ['mntner: A-MNT\nmntner: B-MNT', 'Multiple %s: found in %s', ['mntner', 'mntner']],
  ['mntner: # nothing', 'key attributes must have value', []],
])('the object %j has no key: %s %j', (text, message, args) => {
  expect(primaryKey(parsed(text))).toMatchObject({ messages: [{ severity: 'error', text: message, args }] });
});

test.each<[ObjectTypeName, string, string]>([
  ['inetnum', '192.0.2.0 - 192.0.2.255', '192.0.2.0 - 192.0.2.255'],
  ['inetnum', '192.0.2.0-192.0.2.255', '192.0.2.0 - 192.0.2.255'],
  ['inetnum', '192.0.2.0/24', '192.0.2.0 - 192.0.2.255'],
  ['inetnum', '192.0.2.7', '192.0.2.7 - 192.0.2.7'],
  ['inet6num', '2001:0DB8::/32', '2001:db8::/32'],
  ['inet6num', '2001:db8::', '2001:db8::/128'],
  ['route', '192.0.2.0/24AS64500', '192.0.2.0/24as64500'],
  ['route', '192.0.2.7as64500', '192.0.2.7/32as64500'],
  ['route', '192.0.2.0 - 192.0.2.255 AS64500', '192.0.2.0/24as64500'],
  ['route6', '2001:DB8::/32AS64500', '2001:db8::/32as64500'],
  ['domain', '2.0.192.in-addr.arpa.', '2.0.192.in-addr.arpa'],
  ['domain', 'in-addr.arpa.', 'in-addr.arpa'],
  ['as-block', 'AS5', 'as5 - as5'],
  ['as-block', 'as1  -  AS5', 'as1 - as5'],
  ['aut-num', 'as64500', 'as64500'],
  ['as-set', 'as64500:AS-X', 'as64500:as-x'],
  ['person', ' JD1-TEST ', 'jd1-test'],
])('%s %j in a path means %j', (type, text, folded) => {
  expect(parseKey(type, text)?.folded).toBe(folded);
});

test.each<[ObjectTypeName, string]>([
  ['inetnum', '2001:db8::/32'],
  ['inetnum', '192.0.2.1/24'],
  ['inetnum', ''],
  ['inet6num', '192.0.2.0/24'],
  ['route', '192.0.2.0/24'],
  ['route', 'AS64500'],
  ['route', '192.0.2.0 - 192.0.2.2AS64500'],
  ['route', '192.0.2.0/24AS64500X'],
  ['route6', '192.0.2.0/24AS64500'],
  ['aut-num', '65000X'],
  ['aut-num', 'EXAMPLE-MNT'],
  ['as-block', '5'],
  ['domain', 'example.net'],
  ['domain', 'arpa'],
  ['mntner', ''],
  ['mntner', 'A-MNT#x'],
  ['person', 'JD1-TEST.html'],
])('%s %j cannot be a key', (type, text) => {
  expect(parseKey(type, text)).toBeUndefined();
});

test.each([
  [
    'route: 192.0.2.0/24\ndescr: x\norigin: AS64500 # c',
    [
      ['route', '192.0.2.0/24'],
      ['origin', 'AS64500'],
    ],
  ],
  ['person: Jo Doe\nnic-hdl: JD1-TEST', [['nic-hdl', 'JD1-TEST']]],
  ['mntner: A-MNT', [['mntner', 'A-MNT']]],
])('the key attributes of %j are %j', (text, pairs) => {
  expect(keyAttributesOf(parsed(text))).toEqual(pairs.map(([name, value]) => ({ name, value })));
});

test.each(objectTypeNames)('the stored key of a %s parses to the same key', (type) => {
  const key = primaryKey(parsed(samples[type]));
  expect('shown' in key && parseKey(type, key.shown)).toEqual(key);
});

test.each<[ObjectTypeName, string, string | undefined]>([
  ['person', 'HOSTMASTER-AP', 'hostmaster-ap'],
  ['role', ' JP00012345 ', 'jp00012345'],
  ['organisation', 'EXAMPL-12', 'exampl-12'],
  ['mntner', 'MAINT-EXAMPLE.NET', 'maint-example.net'],
  ['as-set', 'AS64500:AS-EXAMPLE.NET', 'as64500:as-example.net'],
  ['key-cert', 'PGPKEY-0123456789ABCDEF', 'pgpkey-0123456789abcdef'],
  ['domain', '0/25.2.0.192.in-addr.arpa.', '0/25.2.0.192.in-addr.arpa'],
  ['inetnum', '192.000.002.000/24', '192.0.2.0 - 192.0.2.255'],
  ['route', '192.0.2.0/24as64500', '192.0.2.0/24as64500'],
  ['person', 'AB 1', undefined],
  ['person', '-B', undefined],
  ['person', 'x'.repeat(255), undefined],
  ['person', 'Jürgen', undefined],
  ['as-set', 'EXAMPLE', undefined],
  ['domain', 'example.net', undefined],
  ['inetnum', 'EXAMPLE', undefined],
  ['aut-num', 'EXAMPLE', undefined],
  ['route', '192.0.2.1/24AS64500', undefined],
])('the key of a foreign %s %j is %j', (type, text, folded) => {
  expect(parseForeignKey(type, text)?.folded).toBe(folded);
});

test.each(objectTypeNames)('every key of a %s is also one of other registries', (type) => {
  const key = primaryKey(parsed(samples[type]));
  expect('shown' in key && parseForeignKey(type, key.shown)).toEqual(key);
});

test('the form of a key says how it looks', () => {
  expect(keyForm('inetnum', { foreign: true })).toBe(keyForm('inetnum'));
  expect(keyForm('route')).toMatch(/^An IPv4 prefix .* "AS" and a number/);
  expect(keyForm('as-set', { foreign: true })).toMatch(/without blanks; has a part that starts with "as-"\.$/);
});

test('folding a folded key changes nothing', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(...'aAsS10.: -/') }),
    fc.constantFrom(...objectTypeNames.map((type) => samples[type].split('\n')[0]!.slice(16))),
    fc.tuple(fc.ipV4(), fc.constantFrom('', '/24', '/32AS1', ' - 255.255.255.255')).map((parts) => parts.join('')),
    fc.tuple(fc.ipV6(), fc.constantFrom('', '/32', '/128AS1')).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(fc.constantFrom(...objectTypeNames), text, (type, shown) => {
      const folded = foldKey(type, shown);
      expect(foldKey(type, folded)).toBe(folded);
    }),
  );
});
