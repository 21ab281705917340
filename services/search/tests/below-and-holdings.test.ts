import { BelowLevel, type ListBelowRequest } from '@cadastre/proto/search';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { document } from './contract/documents.js';
import { type Searching, startSearching } from './searching.js';

const network = (range: string, org = '') =>
  `inetnum: ${range}\nnetname: NET\n${org === '' ? '' : `org: ${org}\n`}source: TEST\n`;
const stored = [
  network('0.0.0.0 - 255.255.255.255'),
  network('192.0.0.0 - 192.0.255.255', 'ORG-EX1-TEST'),
  network('192.0.2.0 - 192.0.2.255', 'ORG-EX1-TEST'),
  network('192.0.2.0 - 192.0.2.99'),
  network('192.0.2.100 - 192.0.2.255', 'org-ex1-test'),
  network('198.51.100.0 - 198.51.100.255', 'ORG-EX1-TEST'),
  'inet6num: 2001:db8::/32\nnetname: NET\norg: ORG-EX1-TEST\nsource: TEST\n',
  'inet6num: 2001:db8::/48\nnetname: NET\nsponsoring-org: ORG-EX2-TEST\nsource: TEST\n',
  'domain: 2.0.192.in-addr.arpa\nsource: TEST\n',
  'domain: 7.2.0.192.in-addr.arpa\nsource: TEST\n',
  'domain: 8.b.d.0.1.0.0.2.ip6.arpa\nsource: TEST\n',
  'domain: 0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa\nsource: TEST\n',
  'aut-num: AS64496\nas-name: AS-ONE\norg: ORG-EX1-TEST\nsource: TEST\n',
  'aut-num: AS64497\nas-name: AS-TWO\norg: ORG-EX2-TEST\nsource: TEST\n',
];

let searching: Searching;

beforeAll(async () => {
  searching = await startSearching(stored);
});
afterAll(() => searching?.stop());

const requested: ListBelowRequest = {
  source: '',
  resource: '',
  type: 'inetnum',
  level: BelowLevel.BELOW_LEVEL_FIRST,
  limit: 100,
  client: '',
};
const below = (request: Partial<ListBelowRequest>) => searching.client.listBelow({ ...requested, ...request });

describe('below a range', () => {
  const bottom = BelowLevel.BELOW_LEVEL_BOTTOM;
  test.each<[string, Partial<ListBelowRequest>, string[]]>([
    ['the first level', { resource: '0.0.0.0/0' }, ['192.0.0.0 - 192.0.255.255', '198.51.100.0 - 198.51.100.255']],
    ['the first level of a range that is no object', { resource: '192.0.0.0/22' }, ['192.0.2.0 - 192.0.2.255']],
    [
      'the bottom, without the range whose ends are reached',
      { resource: '192.0.0.0/16', level: bottom },
      ['192.0.2.0 - 192.0.2.99', '192.0.2.100 - 192.0.2.255'],
    ],
    ['the first ones', { resource: '192.0.0.0/16', level: bottom, limit: 1 }, ['192.0.2.0 - 192.0.2.99']],
    ['nothing below the last level', { resource: '198.51.100.0/24' }, []],
    ['IPv6 networks', { resource: '::/0', type: 'inet6num', level: bottom }, ['2001:db8::/32', '2001:db8::/48']],
    ['no IPv6 networks below IPv4 addresses', { resource: '0.0.0.0/0', type: 'inet6num' }, []],
    ['reverse zones', { resource: '192.0.2.0/24', type: 'domain' }, ['7.2.0.192.in-addr.arpa']],
    ['reverse zones of IPv6', { resource: '2001:db8::/32', type: 'domain' }, ['0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa']],
    ['AS numbers', { resource: 'AS64496 - AS64500', type: 'aut-num' }, ['as64496', 'as64497']],
  ])('lies %s', async (_what, request, keys) => {
    const found = await below(request);
    expect(found).toMatchObject({ keys, tooMany: false });
    expect(found.objects).toBeGreaterThanOrEqual(keys.length);
  });

  test.each<[string, Partial<ListBelowRequest>, string]>([
    ['an unknown source', { source: 'FOO', resource: '0.0.0.0/0' }, "Invalid source '%s'"],
    ['an unknown type', { type: 'net', resource: '0.0.0.0/0' }, "ERROR:103: unknown object type '%s'\n"],
    ['a text that is no range', { resource: 'x' }, '"%s" is not an address range or AS range'],
  ])('%s is refused', async (_what, request, text) => {
    await expect(below(request)).rejects.toMatchObject({ kind: 'invalid', messages: [{ text }] });
  });

  test('more than 10,000 objects, or 20,000 ranges in which to look for the bottom ones, are too many', async () => {
    const source = 'OTHER-GRS';
    const range = (first: number, last: number) =>
      ({ space: 'ipv4', first: BigInt(first), last: BigInt(last) }) as const;
    const addresses = Array.from({ length: 10_001 }, (_, n) => {
      return document({ source, type: 'inetnum', key: `${n}`, range: range(n, n) });
    });
    const rings = Array.from({ length: 20_001 }, (_, n) => {
      return document({ source, type: 'inetnum', key: `ring ${n}`, range: range(2 ** 20 + 1 + n, 2 ** 21 - 2 - n) });
    });
    const documents = [...addresses, ...rings];
    for (let at = 0; at < documents.length; at += 5_000) {
      const serial = BigInt(at + 1);
      const batch = {
        after: at === 0 ? 0n : serial - 5_000n,
        documents: documents.slice(at, at + 5_000),
        deletions: [],
      };
      await searching.index.apply(source, { ...batch, serial });
    }
    const tooMany = { keys: [], tooMany: true, objects: 10_000 };
    expect(await below({ source, resource: '0.0.0.0/8' })).toMatchObject(tooMany);
    expect(await below({ source, resource: '0.0.0.0/8', level: bottom })).toMatchObject(tooMany);
    expect(await below({ source, resource: '0.16.0.0/12' })).toMatchObject({ keys: ['ring 0'], objects: 1 });
    expect(await below({ source, resource: '0.16.0.0/12', level: bottom })).toMatchObject(tooMany);
    expect(await below({ source, resource: '0.0.0.0 - 0.0.39.15' })).toMatchObject({ tooMany: false, objects: 10_000 });
  });
});

test('the holdings of an organisation are the outermost networks that name it in "org", and its AS numbers', async () => {
  const holdings = (organisation: string, limit = 101) =>
    searching.client.listHoldings({ source: '', organisation, limit, client: '' });
  const inetnums = ['192.0.0.0 - 192.0.255.255', '198.51.100.0 - 198.51.100.255'];
  const all = { inet6nums: ['2001:db8::/32'], inetnums, autNums: ['as64496'] };
  expect(await holdings('org-EX1-test')).toMatchObject(all);
  expect(await holdings('ORG-EX1-TEST', 1)).toMatchObject({ ...all, inetnums: inetnums.slice(0, 1) });
  expect(await holdings('ORG-EX2-TEST')).toMatchObject({ inet6nums: [], inetnums: [], autNums: ['as64497'] });
  expect(await holdings('ORG-NONE-TEST')).toMatchObject({ inet6nums: [], inetnums: [], autNums: [] });
});
