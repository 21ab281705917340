import {
  type BatchFindEnclosingRequest,
  EnclosingScope,
  type FindPastRequest,
  type FindPastResponse,
  LookupStatus,
  type PastLookup,
} from '@cadastre/proto/objects';
import type { RegistryObject } from '@cadastre/proto/registry';
import { ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noRequest, type Searching, startSearching } from './searching.js';

const requested: BatchFindEnclosingRequest[] = [];
const looked: PastLookup[] = [];
const found: FindPastRequest[] = [];
/** The pages for the next questions; without one there are none. */
const pages: Partial<FindPastResponse>[] = [];
let searching: Searching;
let failure: ServiceError | undefined;

const object = (type: string, key: string, text: string): RegistryObject => ({
  ...{ source: 'TEST', type, key, text, revision: 2, serial: 3n, contacts: [], tags: [] },
  lastModified: new Date('2026-01-01'),
});
const network = (range: string) =>
  object('inetnum', range, `inetnum: ${range}\nnetname: OLD\nmnt-by: EXAMPLE-MNT\nsource: TEST # Filtered\n`);
const route = (origin: string) =>
  object('route', `192.0.2.0/24${origin}`, `route: 192.0.2.0/24\norigin: ${origin}\nmnt-by: X-MNT\nsource: TEST\n`);

/** The objects that enclose any range, smallest first. */
const past: Record<string, RegistryObject[]> = {
  inetnum: [network('192.0.2.0 - 192.0.2.255'), network('192.0.0.0 - 192.0.255.255')],
  route: [route('AS64496'), route('AS64497')],
};

beforeAll(async () => {
  searching = await startSearching(
    ['mntner: EXAMPLE-MNT\nauth: MD5-PW x\nmnt-by: EXAMPLE-MNT\nsource: TEST\n'],
    {},
    {
      async batchFindEnclosing(request) {
        requested.push(request as BatchFindEnclosingRequest);
        if (failure) throw failure;
        const objects = past[request.types![0]!] ?? [];
        return { answers: [], objects, related: [], serial: 41n };
      },
      async findPast(request) {
        found.push(request as FindPastRequest);
        if (failure) throw failure;
        return { objects: [], serial: 41n, next: undefined, ...pages.shift() };
      },
      async batchLookupPast({ lookups }) {
        looked.push(...(lookups as PastLookup[]));
        const answers = lookups!.map(({ key }) => {
          const status = key!.key === 'gone-mnt' ? 'DELETED' : 'FOUND';
          const shown = object(key!.type!, key!.key!, `${key!.type}: ${key!.key}\nsource: TEST\n`);
          return {
            ...{ status: LookupStatus[`LOOKUP_STATUS_${status}`], serial: 41n, deleted: undefined },
            object: status === 'FOUND' ? shown : undefined,
          };
        });
        return { answers };
      },
    },
  );
});
afterAll(() => searching?.stop());
beforeEach(() => {
  requested.length = 0;
  looked.length = 0;
  found.length = 0;
  pages.length = 0;
  failure = undefined;
});

const instant = new Date('2026-01-01T00:00:00Z');
const asOf = { point: { $case: 'instant' as const, value: instant } };

describe('a search in the past', () => {
  test.each<[string, string[], 'NEAREST' | 'EXACT' | 'PARENT' | 'ALL', string, string[]?]>([
    ['192.0.2.1', [], 'NEAREST', '192.0.2.1 - 192.0.2.1'],
    ['192.0.2.0/24', ['x'], 'EXACT', '192.0.2.0 - 192.0.2.255'],
    ['192.0.2.0/25', ['l'], 'PARENT', '192.0.2.0 - 192.0.2.127'],
    ['192.0.2.0/25', ['all-less'], 'ALL', '192.0.2.0 - 192.0.2.127'],
    ['2001:db8::/32', [], 'NEAREST', '2001:db8::/32'],
    ['AS64500', [], 'NEAREST', 'AS64500 - AS64500', ['as-block']],
    ['2.0.192.in-addr.arpa', [], 'NEAREST', '192.0.2.0 - 192.0.2.255', ['domain']],
  ])(
    'for %s with flags %j asks for what encloses it',
    async (query, flags, scope, resource, types = ['inetnum', 'inet6num']) => {
      await searching.keys({ query, flags: [...flags], types: [...types], asOf }).catch(() => []);
      expect(requested).toMatchObject([
        { source: 'TEST', resources: [resource], asOf, scope: EnclosingScope[`ENCLOSING_SCOPE_${scope}`] },
      ]);
    },
  );

  test('asks for all types at the same serial, and tells it', async () => {
    const [first] = await searching.responses({ query: '192.0.2.1', asOf });
    expect(first).toMatchObject({ serial: 41n, asOfSerial: 41n });
    expect(requested.map(({ types }) => types[0])).toEqual(['inetnum', 'route']);
    expect(requested.map((one) => one.asOf)).toEqual([asOf, { point: { $case: 'serial', value: 41n } }]);
  });

  test('has no related objects, and the order of a search', async () => {
    expect(await searching.keys({ query: '192.0.2.1', flags: ['L'], asOf })).toEqual([
      '192.0.0.0 - 192.0.255.255',
      '192.0.2.0 - 192.0.2.255',
      '192.0.2.0/24AS64496',
      '192.0.2.0/24AS64497',
    ]);
    expect(await searching.keys({ query: '192.0.2.0/24AS64497', asOf })).toEqual(['192.0.2.0/24AS64497']);
  });

  test.each([
    ['a name', { query: 'EXAMPLE-MNT' }],
    ['references', { query: 'EXAMPLE-MNT', inverseAttributes: ['mnt-by'], types: ['inetnum'] }],
    ['values that are no references', { query: 'AS64496', inverseAttributes: ['origin'] }],
    ['name servers', { query: 'ns.example.net', inverseAttributes: ['nserver'] }],
    ['rules of syntax', { query: '192.0.2.1', flags: ['valid-syntax'] }],
    ['unfiltered objects', { query: '192.0.2.1', flags: ['B'] }],
    ['tags', { query: '192.0.2.1', includeTags: ['x'] }],
    [
      'a serial of several sources',
      { query: '192.0.2.1', sources: ['TEST', 'OTHER-GRS'], asOf: { point: { $case: 'serial' as const, value: 1n } } },
    ],
  ])('is refused for %s', async (_, request) => {
    await expect(searching.keys({ asOf, ...request })).rejects.toMatchObject({
      kind: 'invalid',
      messages: [{ text: expect.stringContaining('ERROR:112') }],
    });
    expect([requested, found, looked]).toEqual([[], [], []]);
  });

  test.each([
    ['m', true],
    ['M', false],
  ])('with -%s asks for what lies inside, page by page, at one serial', async (flag, firstLevel) => {
    const next = { type: 'inetnum', key: 'x', first: '1', last: '2', continued: false };
    pages.push(
      { objects: [network('192.0.2.0 - 192.0.2.63')], next },
      { objects: [network('192.0.2.64 - 192.0.2.127')] },
    );
    const types = ['inetnum'];
    expect(await searching.keys({ query: '192.0.2.0/24', flags: [flag], types, asOf, client: 'a' })).toEqual([
      '192.0.2.0 - 192.0.2.63',
      '192.0.2.64 - 192.0.2.127',
    ]);
    const contained = { resource: '192.0.2.0 - 192.0.2.255', firstLevel };
    expect(found).toEqual([
      { source: 'TEST', types, contained, asOf, from: undefined, client: 'a' },
      { source: 'TEST', types, contained, asOf: { point: { $case: 'serial', value: 41n } }, from: next, client: 'a' },
    ]);
  });

  test('resumes where a page ended', async () => {
    const request = { query: '192.0.2.0/24', flags: ['M'], types: ['inetnum'], asOf, limit: 1 };
    pages.push({ objects: [network('192.0.2.0 - 192.0.2.63'), network('192.0.2.64 - 192.0.2.127')] });
    const { next } = await searching.client.searchFirstPage({ search: { ...noRequest, ...request } });
    pages.push({ objects: [network('192.0.2.0 - 192.0.2.63'), network('192.0.2.64 - 192.0.2.127')] });
    expect(await searching.keys({ ...request, start: next! })).toEqual(['192.0.2.64 - 192.0.2.127']);
    const first = String(0xc0000200n);
    expect(found[1]?.from).toEqual({
      ...{ type: 'inetnum', key: '192.0.2.0 - 192.0.2.63', continued: false },
      ...{ first, last: String(BigInt(first) + 63n) },
    });
  });

  test('finds keys of types that have no names', async () => {
    expect(await searching.keys({ query: 'EXAMPLE-MNT', types: ['mntner'], asOf })).toEqual(['example-mnt']);
    await expect(searching.keys({ query: 'GONE-MNT', types: ['mntner'], asOf })).rejects.toMatchObject({
      kind: 'not-found',
    });
  });

  test('passes on why there is no answer', async () => {
    failure = new ServiceError('out-of-range', 'Forgotten');
    await expect(searching.keys({ query: '192.0.2.1', asOf })).rejects.toMatchObject({ kind: 'out-of-range' });
    failure = undefined;
    past.inet6num = [];
    await expect(searching.keys({ query: '2001:db8::1', types: ['inet6num'], asOf })).rejects.toMatchObject({
      kind: 'not-found',
    });
  });
});
