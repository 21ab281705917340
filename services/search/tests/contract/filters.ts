import type { ObjectTypeName } from '@cadastre/rpsl';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  addressTypes,
  type Compared,
  type Filtered,
  type InverseQuery,
  type ListFilter,
  maxFiltered,
  type SearchIndex,
} from '../../src/index-port.js';
import { document, type Fields, fill, ipv4Range, ipv6Prefix } from './documents.js';

const source = 'FILTERS';

const maintained = (fields: Omit<Fields, 'source'>) =>
  document({ source, ...fields, terms: ['mnt-by=example-mnt', ...(fields.terms ?? [])] });

const office = ipv4Range('10.2.0.0', '10.2.0.255');

/** In the order of addresses. */
const stored = [
  maintained({ type: 'inetnum', key: '10.2.0.0 - 10.2.0.255', name: 'office-net', range: office }),
  maintained({
    type: 'inetnum',
    key: '10.10.0.0 - 10.10.0.255',
    name: 'shop-net',
    terms: ['mnt-lower=example-mnt'],
    range: ipv4Range('10.10.0.0', '10.10.0.255'),
  }),
  maintained({ type: 'route', key: '10.2.0.0/24as64500', descr: 'cafe downtown', range: office, origin: 'as64500' }),
  maintained({ type: 'route', key: '10.2.0.0/24as64511', range: office, origin: 'as64511' }),
  maintained({ type: 'route6', key: '2001:db8::/32as64500', range: ipv6Prefix(0n, 32n), origin: 'as64500' }),
  document({
    source,
    type: 'domain',
    key: '2.10.in-addr.arpa',
    hosts: ['ns1.example.net', 'ns2.example.net'],
    range: ipv4Range('10.2.0.0', '10.2.255.255'),
  }),
  maintained({ type: 'mntner', key: 'example-mnt', descr: 'all of them' }),
  maintained({ type: 'person', key: 'jd1-test', personName: 'jane doe' }),
];

const queries = (order: 'key' | 'address'): InverseQuery[] => {
  const byTerms = (type: ObjectTypeName): InverseQuery => ({
    kind: 'terms',
    type,
    anyOf: [['mnt-lower=example-mnt'], ['mnt-by=example-mnt']],
    order: addressTypes.has(type) ? order : 'key',
  });
  return [
    ...(['inetnum', 'route', 'route6'] as const).map(byTerms),
    { kind: 'hosts', type: 'domain', prefix: 'ns' },
    ...(['mntner', 'person'] as const).map(byTerms),
  ];
};

/** The same queries after an object. */
function after(all: readonly InverseQuery[], { type, key, range }: Compared): InverseQuery[] {
  const [first, ...others] = all.slice(all.findIndex((query) => query.type === type));
  const space = type === 'route6' ? ('ipv6' as const) : ('ipv4' as const);
  return [{ ...first!, from: { key, ...(range && { range: { ...range, space } }) } }, ...others];
}

const everything: ListFilter = { words: [] };

/** Filters of what inverse queries find: what passes, in which order, where a filter ends and continues. */
export function filtersContract(index: () => SearchIndex): void {
  beforeAll(() => fill(index(), source, stored));

  const ask = async (
    filter: Partial<ListFilter & { limit: number }>,
    requested: readonly InverseQuery[] = queries('address'),
    of = source,
  ): Promise<Filtered> => {
    const { signal } = new AbortController();
    return (await index().filter(of, requested, { ...everything, limit: 100, ...filter }, signal))!;
  };
  const keysOf = ({ passed }: Filtered) => passed.map(({ key }) => key);

  const [net, shop, route, other, route6, domain, mntner, person] = stored.map(({ key }) => key) as [
    string,
    ...string[],
  ];
  const nowhere = { words: ['nowhere'] };

  test.each<[string, ListFilter, (string | undefined)[]]>([
    ['no words', everything, [net, shop, route, other, route6, domain, mntner, person]],
    ['a part of keys', { words: ['10.2.'] }, [net, route, other]],
    ['a part of a name', { words: ['ffice'] }, [net]],
    ['words of a key and of a name', { words: ['net', '10.10'] }, [shop]],
    ['words of a type and of a key', { words: ['route', '64511'] }, [other]],
    ['a description', { words: ['cafe'] }, [route]],
    ['the name of a person', { words: ['doe'] }, [person]],
    ['a type', { words: ['person'] }, [person]],
    ['characters of patterns', { words: ['*'] }, []],
    ['what only hosts have', { words: ['ns1'] }, []],
    ['nothing that all words are in', { words: ['office', 'shop'] }, []],
    ['an address', { ...nowhere, range: ipv4Range('10.2.0.77', '10.2.0.77') }, [net, route, other, domain]],
    [
      'a range across two networks',
      { ...nowhere, range: ipv4Range('10.2.0.255', '10.10.0.0') },
      [...[net, shop, route, other, domain]],
    ],
    ['addresses before all', { ...nowhere, range: ipv4Range('10.0.0.0', '10.1.255.255') }, []],
    [
      'addresses of the other family',
      { ...nowhere, range: { space: 'ipv6', first: 0n, last: 2n ** 128n - 1n } },
      [route6],
    ],
  ])('%s', async (_what, filter, expected) => {
    const { passed, ...rest } = await ask(filter);
    expect(passed.map(({ key }) => key)).toEqual(expected);
    expect(passed.map(({ compared }) => compared)).toEqual(
      passed.map(({ type, key }) => stored.findIndex((one) => one.type === type && one.key === key) + 1),
    );
    expect(rest).toEqual({ serial: 1n, compared: stored.length });
  });

  test('in the order of keys, too', async () => {
    expect(keysOf(await ask({ words: ['net'] }, queries('key')))).toEqual([shop, net]);
  });

  test.each([
    ['address', 1],
    ['address', 3],
    ['key', 1],
    ['key', 2],
  ] as const)('page by page it finds the same, in the order of %s, %i at a time', async (order, limit) => {
    const whole = keysOf(await ask({}, queries(order)));
    const found: string[] = [];
    let compared = 0;
    let requested: readonly InverseQuery[] = queries(order);
    for (;;) {
      const page = await ask({ limit }, requested);
      found.push(...keysOf(page));
      compared += page.compared;
      if (page.last === undefined) break;
      expect([page.passed.length, page.passed.at(-1)!.key]).toEqual([limit, page.last.key]);
      requested = after(requested, page.last);
    }
    expect({ found, compared }).toEqual({ found: whole, compared: stored.length });
  });

  test('it continues after an object that is gone', async () => {
    const gone = { type: 'inetnum', key: '10.5.0.0 - 10.5.0.0', range: ipv4Range('10.5.0.0', '10.5.0.0') } as const;
    expect(keysOf(await ask({ words: ['10.'] }, after(queries('address'), gone)))[0]).toBe(shop);
  });

  test('nothing is compared without the object that the queries need, and without an index', async () => {
    const onlyIf = [{ type: 'mntner', key: 'gone-mnt' }] as const;
    const needing = queries('address').map((query) => (query.kind === 'terms' ? { ...query, onlyIf } : query));
    expect(await ask({}, needing)).toEqual({ serial: 1n, passed: [], compared: 0 });
    expect(await ask({}, [])).toEqual({ serial: 1n, passed: [], compared: 0 });
    expect(await ask({}, queries('address'), 'NEVER-BUILT')).toBeUndefined();
  });

  describe('of very many objects', () => {
    const many = 'FILTERS-MANY';
    const key = (n: number) => `m${String(n).padStart(5, '0')}-mnt`;
    const query: InverseQuery = { kind: 'terms', type: 'mntner', anyOf: [['mnt-by=root-mnt']], order: 'key' };

    beforeAll(async () => {
      const numbers = Array.from({ length: maxFiltered + 50 }, (_, n) => n);
      await fill(
        index(),
        many,
        numbers.map((n) => document({ source: many, type: 'mntner', key: key(n), terms: ['mnt-by=root-mnt'] })),
      );
    });

    test('it ends at its bound, and continues from there', async () => {
      const filter = { words: [key(maxFiltered + 7)] };
      const first = await ask(filter, [query], many);
      const last = { type: 'mntner', key: key(maxFiltered - 1) };
      expect(first).toEqual({ serial: 1n, passed: [], compared: maxFiltered, last });
      const second = await ask(filter, after([query], first.last!), many);
      const found = { type: 'mntner', key: key(maxFiltered + 7), compared: 8 };
      expect(second).toEqual({ serial: 1n, passed: [found], compared: 50 });
    });

    test('it ends when its client leaves', async () => {
      const leaving = new AbortController();
      const requested = index().filter(many, [query], { words: ['nothing'], limit: 1 }, leaving.signal);
      leaving.abort();
      await expect(requested).rejects.toThrow();
    });
  });
}
