import type { Mode } from '@cadastre/query';
import { beforeAll, expect, test } from 'vitest';
import type { IndexDocument, SearchIndex, TypeQuery } from '../../src/index-port.js';
import { document, fill, ipv4Range, keys, pages } from './documents.js';

const source = 'SEVERAL';

function network(first: string, last: string) {
  const terms = ['netname=doe', 'mnt-by=a-mnt'];
  return document({ source, type: 'inetnum', key: `${first}-${last}`, range: ipv4Range(first, last), terms });
}

function route(first: string, last: string, origin: string) {
  const range = ipv4Range(first, last);
  const terms = [`origin=${origin}`];
  return document({ source, type: 'route', key: `r-${first}-${last}${origin}`, range, origin, terms });
}

const stored = [
  document({ source, type: 'person', key: 'p1', terms: ['word=jane', 'word=doe', 'mnt-by=a-mnt'] }),
  document({ source, type: 'person', key: 'p2', terms: ['word=doe'] }),
  document({ source, type: 'role', key: 'r9', terms: ['word=jane', 'word=doe'] }),
  document({ source, type: 'mntner', key: 'doe', terms: ['key=doe', 'mnt-by=a-mnt'] }),
  network('10.9.0.0', '10.9.255.255'),
  network('10.10.0.0', '10.10.255.255'),
  network('10.9.1.0', '10.9.1.255'),
  route('10.9.0.0', '10.9.255.255', 'as64496'),
  route('10.9.1.0', '10.9.1.255', 'as64496'),
  route('10.9.1.0', '10.9.1.255', 'as64500'),
  document({
    source,
    type: 'domain',
    key: '9.10.in-addr.arpa',
    range: ipv4Range('10.9.0.0', '10.9.255.255'),
    hosts: ['ns1.example.net'],
  }),
  document({ source, type: 'domain', key: 'a.example', hosts: ['ns1.example.net'], terms: ['zone-c=p1'] }),
  document({ source, type: 'domain', key: 'b.example', terms: ['zone-c=p1'] }),
];

function terms(type: IndexDocument['type'], ...anyOf: string[][]): TypeQuery {
  return { kind: 'terms', type, anyOf, order: type === 'inetnum' ? 'address' : 'key' };
}

function ranges(mode: Mode, first: string, last: string, origin?: string): TypeQuery[] {
  return (['inetnum', 'route', 'domain'] as const).map((type) => {
    return { kind: 'range', type, range: ipv4Range(first, last), mode, ...(origin !== undefined && { origin }) };
  });
}

/** Several queries in one call: in their order, each in its own, with the serial that the first page sees. */
export function severalQueriesContract(index: () => SearchIndex): void {
  beforeAll(() => fill(index(), source, stored));

  const find = (...queries: TypeQuery[]) => keys(index(), source, ...queries);

  test('types come in the order of the queries, each in the order that it asks for', async () => {
    const networks = ['10.9.0.0-10.9.255.255', '10.9.1.0-10.9.1.255', '10.10.0.0-10.10.255.255'];
    const byName = [terms('inetnum', ['netname=doe']), terms('mntner', ['key=doe'])];
    expect(await find(...byName)).toEqual([...networks, 'doe']);
    expect(await find(...byName.toReversed())).toEqual(['doe', ...networks]);
    const persons = terms('person', ['key=doe'], ['word=jane', 'word=doe'], ['word=doe']);
    expect(await find(terms('role', ['word=doe', 'word=jane']), persons)).toEqual(['r9', 'p1', 'p2']);
    expect(await find(terms('role', ['mnt-by=a-mnt']), terms('person', ['mnt-by=a-mnt']))).toEqual(['p1']);
  });

  test('a domain with a term or a host comes once', async () => {
    const domains = { ...terms('domain', ['zone-c=p1']), hosts: 'ns1' } as TypeQuery;
    const expected = ['doe', '9.10.in-addr.arpa', 'a.example', 'b.example', 'p1'];
    expect(await find(terms('mntner', ['key=doe']), domains, terms('person', ['word=jane']))).toEqual(expected);
  });

  test.each<[Mode, string, string, string | undefined, string[]]>([
    [
      'exact',
      '10.9.0.0',
      '10.9.255.255',
      undefined,
      ['10.9.0.0-10.9.255.255', 'r-10.9.0.0-10.9.255.255as64496', '9.10.in-addr.arpa'],
    ],
    [
      'default',
      '10.9.1.7',
      '10.9.1.7',
      undefined,
      ['10.9.1.0-10.9.1.255', 'r-10.9.1.0-10.9.1.255as64496', 'r-10.9.1.0-10.9.1.255as64500', '9.10.in-addr.arpa'],
    ],
    ['one-less', '10.9.1.0', '10.9.1.255', 'as64496', ['r-10.9.0.0-10.9.255.255as64496']],
    [
      'one-more',
      '10.9.0.0',
      '10.9.255.255',
      undefined,
      ['10.9.1.0-10.9.1.255', 'r-10.9.1.0-10.9.1.255as64496', 'r-10.9.1.0-10.9.1.255as64500'],
    ],
    ['one-more', '10.0.0.0', '10.255.255.255', 'as64500', []],
    [
      'all-more',
      '10.0.0.0',
      '10.255.255.255',
      'as64496',
      ['r-10.9.0.0-10.9.255.255as64496', 'r-10.9.1.0-10.9.1.255as64496'],
    ],
  ])('%s around ranges of several types: %s - %s %s', async (mode, first, last, origin, expected) => {
    expect(await find(...ranges(mode, first, last, origin))).toEqual(expected);
  });

  test('ranges of several types come in the order of the queries too', async () => {
    const expected = ['9.10.in-addr.arpa', 'r-10.9.0.0-10.9.255.255as64496', '10.9.0.0-10.9.255.255'];
    expect(await find(...ranges('exact', '10.9.0.0', '10.9.255.255').toReversed())).toEqual(expected);
  });

  test('queries of different kinds', async () => {
    const expected = ['9.10.in-addr.arpa', 'a.example', 'doe', 'r-10.9.1.0-10.9.1.255as64500'];
    const [, one] = ranges('exact', '10.9.1.0', '10.9.1.255', 'as64500');
    const hosts: TypeQuery = { kind: 'hosts', type: 'domain', prefix: 'ns1.' };
    expect(await find(hosts, terms('mntner', ['key=doe']), one!)).toEqual(expected);
  });

  test.each<[string, TypeQuery[]]>([
    ['terms', [terms('inetnum', ['netname=doe']), terms('mntner', ['key=doe']), terms('person', ['word=doe'])]],
    ['one more', ranges('one-more', '10.0.0.0', '10.255.255.255')],
    ['all more', ranges('all-more', '10.0.0.0', '10.255.255.255')],
    ['all less', ranges('all-less', '10.9.1.0', '10.9.1.255')],
    ['nearest', ranges('default', '10.9.1.7', '10.9.1.7')],
    ['hosts', [{ kind: 'hosts', type: 'domain', prefix: 'ns1.' }, terms('mntner', ['key=doe'])]],
    ['terms and hosts', [{ ...terms('domain', ['zone-c=p1']), hosts: 'ns1' } as TypeQuery]],
  ])('a query from any of its objects finds it and those after it: %s', async (_, queries) => {
    const all = (await pages(index(), source, ...queries)).flat();
    expect(all.length).toBeGreaterThan(1);
    for (const [at, { type, key }] of all.entries()) {
      const first = queries.findIndex((query) => query.type === type);
      const range = stored.find((one) => one.type === type && one.key === key)!.range;
      const from = { key, ...(range && { range }) };
      const found = await find({ ...queries[first]!, from }, ...queries.slice(first + 1));
      expect(found.slice(found.indexOf(key))).toEqual(all.slice(at).map((one) => one.key));
    }
  });

  test('the serial is told, also where nothing is found; undefined for a source that was never built', async () => {
    const ask = async (name: string, ...queries: TypeQuery[]) =>
      (await index().query(name, queries, AbortSignal.timeout(60_000)))?.serial;
    const documents = [document({ source: 'SERIAL', type: 'person', key: 'p1', terms: ['word=jane'] })];
    await index().apply('SERIAL', { after: 0n, documents, deletions: [], serial: 7n });
    const requested = [
      [terms('person', ['word=jane'])],
      [terms('person', ['word=joe'])],
      ranges('exact', '10.9.0.0', '10.9.0.1'),
    ];
    for (const queries of [...requested, []]) {
      expect(await ask('SERIAL', ...queries)).toBe(7n);
      expect(await ask('NEVER-BUILT', ...queries)).toBeUndefined();
    }
    await index().apply('SERIAL', { after: 7n, documents: [], deletions: [], serial: 8n });
    expect(await ask('SERIAL', ...requested[0]!)).toBe(8n);
    const rebuild = await index().beginRebuild('SERIAL', { serial: 3n }, { back: true });
    await rebuild.finish({ serial: 3n });
    expect(await ask('SERIAL', ...requested[0]!)).toBe(3n);
    expect(await keys(index(), 'SERIAL', ...requested[0]!)).toEqual([]);
  });

  test.each([60, 230, 400])('%d matches of each of two types, in pages of at most 100', async (count) => {
    const crowd = `CROWD-${count}`;
    const many = (['route-set', 'mntner'] as const).flatMap((type) =>
      Array.from({ length: count }, (_, i) => {
        const key = `${type}-${String(i).padStart(3, '0')}`;
        const range = ipv4Range('10.0.0.0', '10.0.0.255');
        return document({ source: crowd, type, key, terms: ['mnt-by=a-mnt'], range });
      }),
    );
    await fill(index(), crowd, many.toReversed());
    const expected = many.map(({ key }) => key);
    // The second time like the first: the known number of matches changes nothing.
    for (const _ of [1, 2]) {
      const queries = [terms('person'), terms('route-set', ['mnt-by=a-mnt']), terms('mntner', ['mnt-by=a-mnt'])];
      const found = await pages(index(), crowd, ...queries);
      expect(Math.max(...found.map((page) => page.length))).toBeLessThanOrEqual(100);
      expect(found.flat().map(({ key }) => key)).toEqual(expected);
      const needing = queries.map((query) => ({ ...query, onlyIf: [{ type: 'person', key: 'gone' } as const] }));
      expect(await keys(index(), crowd, ...needing)).toEqual([]);
    }
  });
}
