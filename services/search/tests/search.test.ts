import type { FoundObject } from '@cadastre/proto/search';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Searching, startSearching } from './searching.js';

const stored = [
  'mntner: EXAMPLE-MNT\nadmin-c: JD1-TEST\nupd-to: noc@example.net\nauth: MD5-PW $1$x$y\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
  'person: Jane Doe\nnic-hdl: JD1-TEST\ne-mail: jane@example.net\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
  'role: Example Desk\nnic-hdl: ED1-TEST\nadmin-c: JD1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
  'organisation: ORG-EX1-TEST\norg-name: Example Inc\nadmin-c: JD1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
  'irt: IRT-NEAR\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
  'irt: IRT-FAR\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
  'inetnum: 192.0.0.0 - 192.0.255.255\nnetname: WIDE\nmnt-irt: IRT-FAR\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
  'inetnum: 192.0.2.0 - 192.0.2.255\nnetname: NET\norg: ORG-EX1-TEST\nadmin-c: JD1-TEST\ntech-c: ED1-TEST\ntech-c: NOBODY-TEST\nmnt-irt: IRT-NEAR\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
  'inetnum: 192.0.2.0 - 192.0.2.127\nnetname: NET\norg: ORG-EX1-TEST\nadmin-c: JD1-TEST\ncountry: NOWHERE\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
  'route: 192.0.2.0/24\norigin: AS64496\nmember-of: RS-OPEN\nmember-of: RS-CLOSED\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
  'domain: 2.0.192.in-addr.arpa\nzone-c: ED1-TEST\nnserver: ns1.example.net\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
  'domain: 3.0.192.in-addr.arpa\nzone-c: ED1-TEST\nnserver: ns2.example.net\nmnt-by: GONE-MNT\nsource: TEST\n',
  'route-set: RS-OPEN\nmbrs-by-ref: ANY\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
  'route-set: RS-CLOSED\nmbrs-by-ref: OTHER-MNT\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
  'inet-rtr: rtr.example.net\nlocal-as: AS64496\nifaddr: 192.0.2.2 masklen 24\nsource: TEST\n',
];

const noCount = { query: '', source: '', types: [], inverseAttributes: [], client: '' };

const wide = '192.0.0.0 - 192.0.255.255';
const net = '192.0.2.0 - 192.0.2.255';
const half = '192.0.2.0 - 192.0.2.127';

let searching: Searching;

beforeAll(async () => {
  searching = await startSearching(stored);
});

afterAll(() => searching?.stop());

describe('direct lookups', () => {
  test.each([
    ['192.0.2.200', [], [net, '192.0.2.0/24AS64496']],
    ['192.0.2.0/25', [], [half, '192.0.2.0/24AS64496']],
    ['192.0.0.0/16', ['M'], [net, half, '192.0.2.0/24AS64496']],
    ['192.0.2.0/24', ['d', 'x'], [net, '192.0.2.0/24AS64496', '2.0.192.in-addr.arpa']],
    ['2.0.192.in-addr.arpa', ['d'], [net, '192.0.2.0/24AS64496', '2.0.192.in-addr.arpa']],
    ['192.0.2.0/24AS64496', [], ['192.0.2.0/24AS64496']],
    ['net', [], [net, half]],
    ['doe JANE', [], ['JD1-TEST']],
    ['jd1-test', [], ['JD1-TEST']],
    ['jane@example.net', [], ['JD1-TEST']],
    ['example', [], ['ORG-EX1-TEST', 'ED1-TEST']],
    ['example-mnt', [], ['EXAMPLE-MNT']],
  ])('%s with flags %j', async (query, flags, keys) => {
    expect(await searching.keys({ query, flags: ['r', ...flags] })).toEqual(keys);
  });

  test('"nothing found" names the sources', async () => {
    const request = { query: 'NOTHING-MNT', sources: ['test', 'OTHER-GRS'] };
    await expect(searching.keys(request)).rejects.toMatchObject({
      kind: 'not-found',
      messages: [{ text: expect.stringMatching(/^ERROR:101/), args: ['TEST,OTHER-GRS'] }],
    });
  });

  test('an invalid query is refused with its message', async () => {
    await expect(searching.keys({ query: 'x', flags: ['F'] })).rejects.toMatchObject({
      kind: 'invalid',
      messages: [{ text: "Disallowed search flag '%s'", args: ['brief'] }],
    });
  });
});

describe('related objects', () => {
  const query = '192.0.2.0 - 192.0.2.255';
  const networks = { query, types: ['inetnum'] };

  test('follow each object: organisation, role, person, each once; dangling references are ignored', async () => {
    const found = await searching.objects(networks);
    expect(found.map((one) => [one.object!.key, one.related])).toEqual([
      [net, false],
      ['ORG-EX1-TEST', true],
      ['ED1-TEST', true],
      ['JD1-TEST', true],
    ]);
  });

  test('are repeated in every group', async () => {
    expect(await searching.keys({ query: 'NET' })).toEqual([
      ...[net, 'ORG-EX1-TEST', 'ED1-TEST', 'JD1-TEST'],
      ...[half, 'ORG-EX1-TEST', 'JD1-TEST'],
    ]);
  });

  test('come once, at the end, with G', async () => {
    const keys = [net, half, 'ORG-EX1-TEST', 'ED1-TEST', 'JD1-TEST'];
    expect(await searching.keys({ query: 'NET', flags: ['G'] })).toEqual(keys);
  });

  test('an object is not related to itself; its own contacts are', async () => {
    expect(await searching.keys({ query: 'ED1-TEST' })).toEqual(['ED1-TEST', 'JD1-TEST']);
  });

  test.each([
    [['no-personal'], [net, 'ORG-EX1-TEST']],
    [
      ['r', 'c'],
      [net, 'IRT-NEAR'],
    ],
    [
      ['c', 'no-personal'],
      [net, 'IRT-NEAR', 'ORG-EX1-TEST'],
    ],
  ])('with flags %j', async (flags, keys) => {
    expect(await searching.keys({ ...networks, flags })).toEqual(keys);
  });

  test('the nearest network with an irt counts', async () => {
    const irts = (query: string) => searching.keys({ query, types: ['inetnum'], flags: ['r', 'c'] });
    expect(await irts('192.0.2.0/25')).toEqual([half, 'IRT-NEAR']);
    expect(await irts('192.0.0.0/16')).toEqual([wide, 'IRT-FAR']);
  });
});

describe('inverse lookups', () => {
  test.each([
    [['admin-c'], 'jd1-test', [net, half, 'EXAMPLE-MNT', 'ORG-EX1-TEST', 'ED1-TEST']],
    [['zone-c,tech-c'], 'ED1-TEST', [net, '2.0.192.in-addr.arpa', '3.0.192.in-addr.arpa']],
    [['pn'], 'ED1-TEST', [net, '2.0.192.in-addr.arpa', '3.0.192.in-addr.arpa']],
    [['origin'], 'as64496', ['192.0.2.0/24AS64496']],
    [['mi'], 'irt-near', [net]],
    [['ns'], 'ns', ['2.0.192.in-addr.arpa', '3.0.192.in-addr.arpa']],
    [['ns', 'mb'], 'ns2.example.net', ['3.0.192.in-addr.arpa']],
    [['member-of'], 'rs-open', ['192.0.2.0/24AS64496']],
    [['mbrs-by-ref'], 'any', ['RS-OPEN']],
    [['upd-to'], 'NOC@example.net', ['EXAMPLE-MNT']],
    [['ifaddr'], '192.0.2.2', ['rtr.example.net']],
    [['ifaddr'], '192.0.2.2 masklen 24', ['rtr.example.net']],
    [['if'], '192.0.2.2/32', ['rtr.example.net']],
  ])('%j %s', async (inverseAttributes, query, keys) => {
    const found = await searching.keys({ query, inverseAttributes, flags: ['r'] });
    expect([...found].sort()).toEqual([...keys].sort());
    const { counts } = await searching.client.countObjects({ ...noCount, query, inverseAttributes });
    expect(counts.reduce((sum, { objects }) => sum + Number(objects), 0)).toBe(keys.length);
  });

  test.each([
    ['a maintainer that does not exist', 'mnt-by', 'GONE-MNT'],
    ['a set that does not admit the member', 'member-of', 'RS-CLOSED'],
    ['a password hash', 'auth', '$1$x$y'],
    ['a part of an address', 'ifaddr', '192.0.2'],
  ])('%s finds nothing', async (_, attribute, query) => {
    await expect(searching.keys({ query, inverseAttributes: [attribute] })).rejects.toMatchObject({
      kind: 'not-found',
    });
    const { counts } = await searching.client.countObjects({ ...noCount, query, inverseAttributes: [attribute] });
    expect(counts).toEqual([]);
  });

  test('a maintainer that does not exist is found on request, and sets still have to admit their members', async () => {
    const lookup = { query: 'GONE-MNT', inverseAttributes: ['mnt-by'], flags: ['r'], dangling: true };
    expect(await searching.keys(lookup)).toEqual(['3.0.192.in-addr.arpa']);
    const closed = searching.keys({ query: 'RS-CLOSED', inverseAttributes: ['member-of'], dangling: true });
    await expect(closed).rejects.toMatchObject({ kind: 'not-found' });
  });

  test('counts come by type, in the order of results', async () => {
    const requested = { ...noCount, query: 'JD1-TEST', inverseAttributes: ['admin-c'] };
    const { counts, isPartial, serial } = await searching.client.countObjects(requested);
    expect(counts).toEqual([
      { type: 'inetnum', objects: 2n },
      { type: 'mntner', objects: 1n },
      { type: 'organisation', objects: 1n },
      { type: 'role', objects: 1n },
    ]);
    expect({ isPartial, serial }).toEqual({ isPartial: false, serial: BigInt(stored.length) });
    const some = await searching.client.countObjects({ ...requested, types: ['in,organisation'], source: 'test' });
    expect(some.counts.map(({ type }) => type)).toEqual(['inetnum', 'organisation']);
    expect((await searching.client.countObjects({ ...requested, source: 'OTHER-GRS' })).counts).toEqual([]);
  });

  test.each([
    ['a direct lookup', { query: 'EXAMPLE-MNT', inverseAttributes: [] }, 'Only inverse lookups can be counted'],
    ['an unknown source', { source: 'NOWHERE' }, /Invalid source/],
    ['an attribute without inverse lookups', { inverseAttributes: ['descr'] }, /not an inverse searchable attribute/],
    ['no value', { query: '' }, /cannot be empty/],
  ])('counts of %s are refused', async (_what, request, text) => {
    const requested = { ...noCount, query: 'EXAMPLE-MNT', inverseAttributes: ['mnt-by'], ...request };
    await expect(searching.client.countObjects(requested)).rejects.toMatchObject({
      kind: 'invalid',
      messages: [{ text: text instanceof RegExp ? expect.stringMatching(text) : text }],
    });
  });

  test('a type filter restricts the result; types come in their order, keys inside a type', async () => {
    const request = { query: 'EXAMPLE-MNT', inverseAttributes: ['mb'], flags: ['r'] };
    const types = (await searching.objects(request)).map((one) => one.object!.type);
    expect([...new Set(types)]).toEqual([
      'inetnum',
      'route',
      'route-set',
      'domain',
      'mntner',
      'irt',
      'organisation',
      'role',
      'person',
    ]);
    expect(await searching.keys({ ...request, types: ['inetnum'] })).toEqual([wide, half, net]);
  });

  test('by address, networks come in that order, and other types in that of keys', async () => {
    const request = { query: 'EXAMPLE-MNT', inverseAttributes: ['mb', 'mnt-lower'], flags: ['r'] };
    const byKey = await searching.keys(request);
    const byAddress = await searching.keys({ ...request, byAddress: true });
    expect(byAddress.slice(0, 3)).toEqual([wide, net, half]);
    expect(byAddress.slice(3)).toEqual(byKey.slice(3));
  });
});

describe('what is shown of an object', () => {
  const textOf = async (query: string, flags: string[]) =>
    (await searching.objects({ query, flags: ['r', ...flags] }))[0]!.object!.text;

  test('without e-mail attributes and marked as filtered', async () => {
    const text = await textOf('JD1-TEST', []);
    expect(text).not.toMatch(/e-mail/);
    expect(text).toMatch(/^source: .*# Filtered$/m);
  });

  test('complete with B, but never with auth', async () => {
    expect(await textOf('JD1-TEST', ['B'])).toMatch(/e-mail: +jane@example\.net/);
    const text = await textOf('EXAMPLE-MNT', ['B']);
    expect(text).toMatch(/upd-to/);
    expect(text).not.toMatch(/auth|MD5/);
  });

  test('with the types of its contacts', async () => {
    const [found] = await searching.objects({ query: net, types: ['inetnum'], flags: ['r'] });
    expect(found!.object!.contacts).toEqual([
      { nicHdl: 'jd1-test', type: 'person' },
      { nicHdl: 'ed1-test', type: 'role' },
    ]);
  });

  test('objects that violate the rules of their type are distinguished', async () => {
    const request = { query: 'NET', types: ['inetnum'] };
    const [invalid, valid] = await Promise.all([
      searching.keys({ ...request, flags: ['r', 'no-valid-syntax'] }).catch(() => []),
      searching.keys({ ...request, flags: ['r', 'valid-syntax'] }).catch(() => []),
    ]);
    expect(invalid).toContain(half);
    expect([...invalid, ...valid].sort()).toEqual([half, net]);
  });

  test('those that are left out for that are there on request, without texts, and count as objects', async () => {
    const request = { query: net, types: ['inetnum', 'route'], flags: ['r', 'valid-syntax'] };
    const route = '192.0.2.0/24AS64496';
    expect(await searching.keys(request)).toEqual([route]);
    const all = { ...request, withLeftOut: true };
    const outline = (found: FoundObject[]) =>
      found.map(({ object, leftOut = false }) => [object!.key, leftOut, object!.text === '', object!.contacts]);
    expect(outline(await searching.objects(all))).toEqual([
      [net, true, true, []],
      [route, false, false, []],
    ]);
    expect(outline(await searching.objects({ ...all, flags: ['r', 'no-valid-syntax'], types: ['route'] }))).toEqual([
      [route, true, true, []],
    ]);
    expect(await searching.responses({ ...all, brief: true, limit: 1 })).toMatchObject([
      { objects: [{ object: { key: net, text: '' }, leftOut: true }], contacts: { sources: [] } },
    ]);
  });
});

describe('a part of the result', () => {
  const all = [net, 'ORG-EX1-TEST', 'ED1-TEST', 'JD1-TEST'];

  test.each([
    [0, undefined, all],
    [1, 2, ['ORG-EX1-TEST', 'ED1-TEST']],
    [3, 10, ['JD1-TEST']],
    [4, 1, []],
    [0, 0, []],
    [100, undefined, []],
  ])('offset %s, limit %s: related objects count', async (offset, limit, keys) => {
    expect(await searching.keys({ query: net, types: ['inetnum'], offset, limit })).toEqual(keys);
  });

  test('the first message has flags and serial, also when the part is empty', async () => {
    const request = { query: 'NET', flags: ['rB'], offset: 100 };
    expect(await searching.responses(request)).toEqual([
      {
        ...{ flags: ['no-referenced', 'no-filtering'], messages: [], serial: BigInt(stored.length), objects: [] },
        processingMs: expect.any(Number),
      },
    ]);
  });

  test('nothing found stays an error', async () => {
    await expect(searching.keys({ query: 'NOTHING-MNT', limit: 0 })).rejects.toMatchObject({ kind: 'not-found' });
  });
});
