import { beforeAll, expect, test } from 'vitest';
import type { InverseQuery, SearchIndex } from '../../src/index-port.js';
import { document, fill, ipv4Range, keys, pages } from './documents.js';

const source = 'TERMS';

function person(key: string, ...words: string[]) {
  const terms = [`nic-hdl=${key}`, ...words.map((word) => `word=${word}`), 'mnt-by=example-mnt'];
  return document({ source, type: 'person', key, terms });
}

function network(key: string, first: string, last: string, ...others: string[]) {
  const terms = ['netname=example-net', 'mnt-by=example-mnt', ...others];
  return document({ source, type: 'inetnum', key, terms, range: ipv4Range(first, last) });
}

const stored = [
  person('jd2-test', 'jane', 'a.', 'doe'),
  person('jd1-test', 'john', 'doe'),
  person('doe', 'richard', 'roe'),
  document({ source, type: 'role', key: 'doe', terms: ['nic-hdl=doe', 'word=caf\u00e9 100%_\\'] }),
  network('10.2.0.0 - 10.2.0.255', '10.2.0.0', '10.2.0.255'),
  network('10.10.0.0 - 10.10.0.255', '10.10.0.0', '10.10.0.255', 'admin-c=jd1-test'),
  network('10.2.0.0 - 10.2.0.127', '10.2.0.0', '10.2.0.127', 'admin-c=jd1-test'),
  document({ source, type: 'domain', key: '2.0.192.in-addr.arpa', hosts: ['ns1.example.net', 'ns1.example.org'] }),
  document({ source, type: 'domain', key: '1.0.192.in-addr.arpa', hosts: ['ns1.example.net'] }),
  document({ source, type: 'domain', key: '3.0.192.in-addr.arpa', hosts: ['ns2.example.net', 'a_b%.example.net'] }),
];

/** Conjunctions, alternatives, both orders, host prefixes, paging. */
export function termsContract(index: () => SearchIndex): void {
  beforeAll(() => fill(index(), source, stored));

  test.each([
    [[['word=doe']], ['jd1-test', 'jd2-test']],
    [[['word=doe', 'word=jane']], ['jd2-test']],
    [[['word=do']], []],
    [
      [['nic-hdl=doe'], ['word=doe']],
      ['doe', 'jd1-test', 'jd2-test'],
    ],
    [[['nic-hdl=jd1-test'], ['word=doe', 'word=john']], ['jd1-test']],
    [[], []],
  ])('persons with any of %j by key', async (anyOf, expected) => {
    expect(await keys(index(), source, { kind: 'terms', type: 'person', anyOf, order: 'key' })).toEqual(expected);
  });

  test('a term is compared as it stands, whatever its characters', async () => {
    const ask = (term: string) => keys(index(), source, { kind: 'terms', type: 'role', anyOf: [[term]], order: 'key' });
    expect(await ask('word=caf\u00e9 100%_\\')).toEqual(['doe']);
    expect(await ask('word=cafe 100%_\\')).toEqual([]);
    expect(await ask('word=*')).toEqual([]);
  });

  const doe = { kind: 'terms', type: 'person', anyOf: [['word=doe']], order: 'key' } as const;
  const maintained = { type: 'inetnum', anyOf: [['mnt-by=example-mnt'], ['netname=example-net']] } as const;
  const doeIds = [
    { type: 'mntner', key: 'doe' },
    { type: 'role', key: 'doe' },
  ] as const;
  test.each<[string, InverseQuery[], number[]]>([
    ['no query', [], []],
    ['terms, and alternatives that one object matches twice', [doe, { ...doe, ...maintained }], [2, 3]],
    ['several terms at once', [{ ...doe, anyOf: [['word=doe', 'word=jane'], ['word=none']] }], [1]],
    ['hosts', [{ kind: 'hosts', type: 'domain', prefix: 'ns1.' }], [2]],
    ['terms or hosts', [doe, { ...doe, type: 'domain', hosts: 'ns' }], [2, 3]],
    ['an object that is missing', [{ ...doe, onlyIf: [{ type: 'mntner', key: 'doe' }] }], [0]],
    ['one object of two', [{ ...doe, onlyIf: doeIds }], [2]],
  ])('counts by type: %s', async (_what, queries, counts) => {
    const { signal } = new AbortController();
    const found = await index().countByType(source, queries, signal);
    expect(found).toEqual({ serial: (await index().position(source))!.serial, counts, isPartial: false });
    expect(await index().countByType('NEVER-BUILT', queries, signal)).toBeUndefined();
  });

  const byAddress = ['10.2.0.0 - 10.2.0.255', '10.2.0.0 - 10.2.0.127', '10.10.0.0 - 10.10.0.255'];

  test('by address: lowest first, larger ranges before those inside', async () => {
    const query = { kind: 'terms', type: 'inetnum', anyOf: [['netname=example-net']], order: 'address' } as const;
    expect(await keys(index(), source, query)).toEqual(byAddress);
  });

  test.each([
    ['one term', [['mnt-by=example-mnt']], byAddress],
    ['several together', [['mnt-by=example-mnt', 'admin-c=jd1-test']], byAddress.slice(1)],
    ['alternatives', [['admin-c=jd1-test'], ['mnt-by=example-mnt', 'admin-c=none']], byAddress.slice(1)],
    ['nothing', [['mnt-by=none']], []],
  ])('inverse terms by address: %s', async (_what, anyOf, expected) => {
    const query = { kind: 'terms', type: 'inetnum', anyOf, order: 'address' } as const;
    expect(await keys(index(), source, query)).toEqual(expected);
    const byKey = await keys(index(), source, { ...query, order: 'key' });
    expect(byKey).toEqual(expected.toSorted());
    const { signal } = new AbortController();
    expect((await index().countByType(source, [query], signal))!.counts).toEqual([expected.length]);
  });

  test('inverse terms by address from a position on, which need not exist', async () => {
    const query = { kind: 'terms', type: 'inetnum', anyOf: [['mnt-by=example-mnt']], order: 'address' } as const;
    const between = { key: 'x', range: ipv4Range('10.3.0.0', '10.3.0.200') };
    expect(await keys(index(), source, { ...query, from: between })).toEqual(byAddress.slice(2));
    // An adapter may also return some objects before the position.
    const inside = { key: 'x', range: ipv4Range('10.2.0.0', '10.2.0.200') };
    const found = await keys(index(), source, { ...query, from: inside });
    expect(found.slice(-2)).toEqual(byAddress.slice(1));
  });

  test('an object that moves, or loses a term, is found by address where it is', async () => {
    const moving = 'TERMS-MOVING';
    const route = (key: string, first: string, terms: string[], serial: bigint) => {
      const range = ipv4Range(first, first);
      return document({ source: moving, type: 'route', key, terms, range, origin: 'as1', serial });
    };
    const query = { kind: 'terms', type: 'route', anyOf: [['origin=as1']], order: 'address' } as const;
    await fill(index(), moving, [
      route('a', '10.0.0.9', ['origin=as1'], 1n),
      route('b', '10.0.0.2', ['origin=as1'], 1n),
      route('c', '10.0.0.3', ['origin=as1'], 1n),
    ]);
    expect(await keys(index(), moving, query)).toEqual(['b', 'c', 'a']);
    const documents = [route('a', '10.0.0.1', ['origin=as1'], 2n), route('c', '10.0.0.3', ['origin=as2'], 2n)];
    await index().apply(moving, { after: 1n, documents, deletions: [], serial: 2n });
    expect(await keys(index(), moving, query)).toEqual(['a', 'b']);
    const deletions = [{ source: moving, type: 'route', key: 'a' } as const];
    await index().apply(moving, { after: 2n, documents: [], deletions, serial: 3n });
    expect(await keys(index(), moving, query)).toEqual(['b']);
  });

  test.each([
    ['ns1.example', ['1.0.192.in-addr.arpa', '2.0.192.in-addr.arpa']],
    ['ns', ['1.0.192.in-addr.arpa', '2.0.192.in-addr.arpa', '3.0.192.in-addr.arpa']],
    ['ns1.example.net', ['1.0.192.in-addr.arpa', '2.0.192.in-addr.arpa']],
    ['ns1_example', []],
    ['a_b%', ['3.0.192.in-addr.arpa']],
    ['%', []],
    ['example', []],
  ])('domains with a host that begins with %s', async (prefix, expected) => {
    expect(await keys(index(), source, { kind: 'hosts', type: 'domain', prefix })).toEqual(expected);
  });

  test('a search that needs an object finds nothing unless one of them exists', async () => {
    const query = { kind: 'terms', type: 'person', anyOf: [['word=doe']], order: 'key' } as const;
    const gone = { type: 'mntner', key: 'doe' } as const;
    expect(await keys(index(), source, { ...query, onlyIf: [gone] })).toEqual([]);
    const onlyIf = [gone, { type: 'role', key: 'doe' }] as const;
    expect(await keys(index(), source, { ...query, onlyIf })).toEqual(['jd1-test', 'jd2-test']);
  });

  test('another source and a source without an index have none of them', async () => {
    const query = { kind: 'terms', type: 'person', anyOf: [['word=doe']], order: 'key' } as const;
    await fill(index(), 'TERMS-OTHER', [document({ source: 'TERMS-OTHER', type: 'person', key: 'x' })]);
    expect(await keys(index(), 'TERMS-OTHER', query)).toEqual([]);
    expect(await keys(index(), 'NEVER-BUILT', query)).toEqual([]);
  });

  test('more matches than a page holds come in pages of at most 100, in order, each once', async () => {
    const many = Array.from({ length: 350 }, (_, i) => {
      const key = `mnt-${String(i).padStart(3, '0')}`;
      return document({ source: 'PAGES', type: 'mntner', key, terms: ['mnt-by=root-mnt', `admin-c=${i % 2}`] });
    });
    await fill(index(), 'PAGES', many.toReversed());
    const anyOf = [['mnt-by=root-mnt'], ['admin-c=1']];
    const found = await pages(index(), 'PAGES', { kind: 'terms', type: 'mntner', anyOf, order: 'key' });
    expect(Math.max(...found.map((page) => page.length))).toBeLessThanOrEqual(100);
    expect(found.flat().map((one) => one.key)).toEqual(many.map((one) => one.key));
  });

  test('a cancelled query ends', async () => {
    const cancel = new AbortController();
    const query = { kind: 'terms', type: 'person', anyOf: [['word=doe']], order: 'key' } as const;
    cancel.abort();
    const read = async () => {
      const matches = await index().query(source, [query], cancel.signal);
      for await (const page of matches?.pages ?? []) return page;
      return [];
    };
    expect(await read().catch(() => [])).toEqual([]);
  });
}
