import { beforeAll, expect, test } from 'vitest';
import type { InverseQuery, SearchIndex } from '../../src/index-port.js';
import { document, fill, ipv4Range, keys, pages } from './documents.js';

const source = 'TERMS';

function person(key: string, ...words: string[]) {
  const terms = [`nic-hdl=${key}`, ...words.map((word) => `word=${word}`), 'mnt-by=example-mnt'];
  return document({ source, type: 'person', key, terms });
}

function network(key: string, first: string, last: string) {
  const terms = ['netname=example-net', 'mnt-by=example-mnt'];
  return document({ source, type: 'inetnum', key, terms, range: ipv4Range(first, last) });
}

const stored = [
  person('jd2-test', 'jane', 'a.', 'doe'),
  person('jd1-test', 'john', 'doe'),
  person('doe', 'richard', 'roe'),
  document({ source, type: 'role', key: 'doe', terms: ['nic-hdl=doe', 'word=caf\u00e9 100%_\\'] }),
  network('10.2.0.0 - 10.2.0.255', '10.2.0.0', '10.2.0.255'),
  network('10.10.0.0 - 10.10.0.255', '10.10.0.0', '10.10.0.255'),
  network('10.2.0.0 - 10.2.0.127', '10.2.0.0', '10.2.0.127'),
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

  test('by address: lowest first, larger ranges before those inside', async () => {
    const query = { kind: 'terms', type: 'inetnum', anyOf: [['netname=example-net']], order: 'address' } as const;
    const expected = ['10.2.0.0 - 10.2.0.255', '10.2.0.0 - 10.2.0.127', '10.10.0.0 - 10.10.0.255'];
    expect(await keys(index(), source, query)).toEqual(expected);
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
