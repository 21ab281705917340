import type { Mode, Range } from '@cadastre/query';
import { beforeAll, expect, test } from 'vitest';
import type { IndexDocument, SearchIndex } from '../../src/index-port.js';
import { document, fill, ipv4, ipv4Range, ipv6Prefix, keys } from './documents.js';

const source = 'HIERARCHY';

/** The stored ranges of queries.md 3.3, the root, and two adjacent ranges that no answer may contain. */
const inetnums: Record<string, Range> = {
  root: ipv4Range('0.0.0.0', '255.255.255.255'),
  a: ipv4Range('198.51.100.0', '198.51.100.255'),
  b: ipv4Range('198.51.100.0', '198.51.100.99'),
  c: ipv4Range('198.51.100.100', '198.51.100.199'),
  d: ipv4Range('198.51.100.120', '198.51.100.129'),
  e: ipv4Range('198.51.100.130', '198.51.100.139'),
  before: ipv4Range('198.51.99.0', '198.51.99.255'),
  after: ipv4Range('198.51.101.0', '198.51.101.255'),
};

const cases: [first: string, last: string, mode: Mode, expected: string[]][] = [
  ['198.51.100.0', '198.51.100.99', 'exact', ['b']],
  ['198.51.100.0', '198.51.100.98', 'exact', []],
  ['198.51.100.10', '198.51.100.10', 'default', ['b']],
  ['198.51.100.0', '198.51.100.255', 'default', ['a']],
  ['203.0.113.1', '203.0.113.1', 'default', ['root']],
  ['198.51.100.90', '198.51.100.110', 'default', ['a']],
  ['198.51.100.90', '198.51.100.110', 'one-less', ['a']],
  ['198.51.100.0', '198.51.100.255', 'one-less', ['root']],
  ['0.0.0.0', '255.255.255.255', 'one-less', []],
  ['198.51.100.90', '198.51.100.110', 'one-more', []],
  ['198.51.100.125', '198.51.100.139', 'one-more', ['e']],
  ['198.51.100.0', '198.51.100.139', 'one-more', ['b', 'd', 'e']],
  ['198.51.100.0', '198.51.100.255', 'one-more', ['b', 'c']],
  ['198.51.100.0', '198.51.101.255', 'one-more', ['a', 'after']],
  ['198.51.100.0', '198.51.100.255', 'all-more', ['b', 'c', 'd', 'e']],
  ['198.51.100.0', '198.51.101.255', 'all-more', ['a', 'b', 'c', 'd', 'e', 'after']],
  ['198.51.100.125', '198.51.100.125', 'all-less', ['root', 'a', 'c', 'd']],
  ['198.51.100.120', '198.51.100.129', 'all-less', ['root', 'a', 'c', 'd']],
];

const inet6nums: Record<string, Range> = {
  root6: { space: 'ipv6', first: 0n, last: (1n << 128n) - 1n },
  'db8/32': ipv6Prefix(0n, 32n),
  'db8:1/48': ipv6Prefix(1n, 48n),
  'db8:1/64': ipv6Prefix(1n, 64n),
  'db8:2/48': ipv6Prefix(2n, 48n),
};

const ipv6Cases: [Range, Mode, string[]][] = [
  [ipv6Prefix(1n, 128n), 'default', ['db8:1/64']],
  [ipv6Prefix(1n, 48n), 'one-less', ['db8/32']],
  [ipv6Prefix(1n, 64n), 'all-less', ['root6', 'db8/32', 'db8:1/48', 'db8:1/64']],
  [ipv6Prefix(0n, 32n), 'one-more', ['db8:1/48', 'db8:2/48']],
  [ipv6Prefix(0n, 32n), 'all-more', ['db8:1/48', 'db8:1/64', 'db8:2/48']],
  [ipv6Prefix(3n, 48n), 'default', ['db8/32']],
];

const nets = { wide: ipv4Range('192.0.2.0', '192.0.2.255'), half: ipv4Range('192.0.2.0', '192.0.2.127') };

const routeCases: [range: Range, mode: Mode, origin: string | undefined, expected: string[]][] = [
  [nets.half, 'exact', undefined, ['half as10', 'half as9']],
  [nets.half, 'exact', 'as9', ['half as9']],
  [nets.half, 'one-less', undefined, ['wide as64496', 'wide as65536']],
  [nets.half, 'one-less', 'as10', []],
  [nets.half, 'all-less', undefined, ['wide as64496', 'wide as65536', 'half as10', 'half as9']],
  [nets.half, 'all-less', 'as64496', ['wide as64496']],
  [nets.wide, 'one-more', undefined, ['half as10', 'half as9']],
  [nets.wide, 'all-more', 'as10', ['half as10']],
  [ipv4Range('192.0.2.200', '192.0.2.200'), 'default', undefined, ['wide as64496', 'wide as65536']],
  [ipv4Range('192.0.2.200', '192.0.2.200'), 'default', 'as65536', ['wide as65536']],
];

function inetnum(key: string, range: Range): IndexDocument {
  return document({ source, type: 'inetnum', key, range });
}

function route(net: keyof typeof nets, origin: string): IndexDocument {
  return document({ source, type: 'route', key: `${net} ${origin}`, range: nets[net], origin });
}

function zone(key: string, range: Range): IndexDocument {
  return document({ source, type: 'domain', key, range });
}

function asBlock(first: bigint, last: bigint): IndexDocument {
  return document({ source, type: 'as-block', key: `as${first} - as${last}`, range: { space: 'as', first, last } });
}

function stored(): IndexDocument[] {
  return [
    ...Object.entries(inetnums).map(([key, range]) => inetnum(key, range)),
    ...Object.entries(inet6nums).map(([key, range]) => document({ source, type: 'inet6num', key, range })),
    route('wide', 'as65536'),
    route('wide', 'as64496'),
    route('half', 'as9'),
    route('half', 'as10'),
    zone('2.0.192.in-addr.arpa', nets.wide),
    zone('8.b.d.0.1.0.0.2.ip6.arpa', ipv6Prefix(0n, 32n)),
    asBlock(64496n, 64511n),
    asBlock(64500n, 64503n),
  ];
}

/** Modes around a range, odd ranges, IPv6, several routes at one prefix, reverse zones, covering as-blocks. */
export function hierarchyContract(index: () => SearchIndex): void {
  beforeAll(() => fill(index(), source, stored()));

  test.each(cases)('inetnums for %s - %s in mode %s', async (first, last, mode, expected) => {
    const query = { kind: 'range', type: 'inetnum', range: ipv4Range(first, last), mode } as const;
    expect(await keys(index(), source, query)).toEqual(expected);
  });

  test.each(ipv6Cases)('inet6nums for %o in mode %s', async (range, mode, expected) => {
    expect(await keys(index(), source, { kind: 'range', type: 'inet6num', range, mode })).toEqual(expected);
  });

  test.each(routeCases)('routes for %o in mode %s with origin %s', async (range, mode, origin, expected) => {
    const query = { kind: 'range', type: 'route', range, mode, ...(origin ? { origin } : {}) } as const;
    expect(await keys(index(), source, query)).toEqual(expected);
  });

  test('the zones of IPv4 and IPv6 are separate', async () => {
    const address: Range = { space: 'ipv4', first: ipv4('192.0.2.5'), last: ipv4('192.0.2.5') };
    const found = (range: Range) => keys(index(), source, { kind: 'range', type: 'domain', range, mode: 'all-less' });
    expect(await found(address)).toEqual(['2.0.192.in-addr.arpa']);
    expect(await found({ ...address, space: 'ipv6' })).toEqual([]);
    expect(await found(ipv6Prefix(7n, 48n))).toEqual(['8.b.d.0.1.0.0.2.ip6.arpa']);
  });

  test.each([
    [64501n, 64502n, ['as64500 - as64503']],
    [64500n, 64503n, ['as64500 - as64503']],
    [64503n, 64504n, ['as64496 - as64511']],
    [64511n, 64512n, []],
  ])('the as-block that covers AS%d - AS%d', async (first, last, expected) => {
    const query = { kind: 'covering', type: 'as-block', range: { space: 'as', first, last } } as const;
    expect(await keys(index(), source, query)).toEqual(expected);
  });

  test('the nearest around each of several ranges among those with an attribute', async () => {
    const ranges = {
      outer: ipv4Range('10.0.0.0', '10.255.255.255'),
      middle: ipv4Range('10.1.0.0', '10.1.255.255'),
      inner: ipv4Range('10.1.1.0', '10.1.1.255'),
      apart: ipv4Range('172.16.0.0', '172.16.255.255'),
    };
    const network = (key: keyof typeof ranges, ...terms: string[]) =>
      document({ source: 'NEAREST', type: 'inetnum', key, range: ranges[key], terms });
    await fill(index(), 'NEAREST', [
      network('outer', 'mnt-irt=irt-a', 'mnt-by=a'),
      network('middle', 'mnt-irt=irt-b', 'mnt-irt=irt-c'),
      network('inner', 'mnt-by=mnt-irt=x'),
      network('apart', 'mnt-by=a'),
      document({
        source: 'NEAREST',
        type: 'route',
        key: 'r',
        range: ranges.inner,
        origin: 'as1',
        terms: ['mnt-irt=x'],
      }),
    ]);
    const nearest = async (source: string, requested: readonly Range[]) =>
      (await index().nearestWith(source, 'inetnum', 'mnt-irt', requested)).map((one) => one?.key);
    const { outer, middle, inner, apart } = ranges;
    const within = ipv4Range('10.1.1.7', '10.1.1.9');
    const cut = ipv4Range('10.1.255.0', '10.2.0.255');
    expect(await nearest('NEAREST', [inner, outer, apart, within, cut, middle, inner])).toEqual([
      'middle',
      'outer',
      undefined,
      'middle',
      'outer',
      'middle',
      'middle',
    ]);
    expect(await nearest('NEAREST', [])).toEqual([]);
    expect(await nearest('NEVER-BUILT', [inner])).toEqual([undefined]);
    const many = await nearest('NEAREST', Array<Range>(100).fill(within));
    expect(many).toEqual(Array(100).fill('middle'));
  });

  test('more objects than a page holds, in pages of at most 100', async () => {
    const many = Array.from({ length: 250 }, (_, i) => {
      const key = `many-${i}`;
      return document({ source: 'MANY', type: 'inetnum', key, range: ipv4Range(`10.0.${i}.0`, `10.0.${i}.255`) });
    });
    const around = document({
      source: 'MANY',
      type: 'inetnum',
      key: 'around',
      range: ipv4Range('10.0.0.0', '10.0.255.255'),
    });
    await fill(index(), 'MANY', [...many.toReversed(), around]);
    for (const mode of ['one-more', 'all-more'] as const) {
      const query = { kind: 'range', type: 'inetnum', range: around.range!, mode } as const;
      expect(await keys(index(), 'MANY', query), mode).toEqual(many.map((one) => one.key));
    }
  });

  test('more routes at one prefix than a page holds', async () => {
    const origins = Array.from({ length: 150 }, (_, i) => `as${65000 + i}`);
    const routes = origins.map((origin) =>
      document({ source: 'CROWD', type: 'route', key: `net${origin}`, range: nets.wide, origin }),
    );
    await fill(index(), 'CROWD', routes.toReversed());
    const outer = ipv4Range('192.0.0.0', '192.0.255.255');
    const modes: [Range, Mode][] = [
      [nets.wide, 'default'],
      [nets.half, 'one-less'],
      [nets.half, 'all-less'],
      [outer, 'one-more'],
      [outer, 'all-more'],
    ];
    for (const [range, mode] of modes) {
      const query = { kind: 'range', type: 'route', range, mode } as const;
      expect(await keys(index(), 'CROWD', query), mode).toEqual(routes.map((one) => one.key));
    }
  });
}
