import type { SearchNamesRequest } from '@cadastre/proto/search';
import { formatMessage } from '@cadastre/service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Searching, startSearching } from './searching.js';

const stored = [
  'organisation: ORG-EX1-TEST\norg-name: Example Networks\ne-mail: hidden@example.org\nsource: TEST\n',
  'inetnum: 192.0.2.0 - 192.0.2.255\nnetname: EXAMPLE-NET\nnotify: hidden@example.org\nsource: TEST\n',
  'inet6num: 2001:DB8::/32\nnetname: EXAMPLE-NET-6\nsource: TEST\n',
  'aut-num: AS64496\nas-name: EXAMPLE-AS\nsource: TEST\n',
  'role: Example Abuse\nnic-hdl: EA1-TEST\nabuse-mailbox: abuse@example.net\nsource: TEST\n',
  'role: Example  Désk\nnic-hdl: ED2-TEST\nsource: TEST\n',
  'person: Example Doe\nnic-hdl: ED1-TEST\nauth: hidden\nsource: TEST\n',
  'person: Example Doe\nnic-hdl: ED3-TEST\nsource: TEST\n',
  'mntner: EXAMPLE-MNT\nupd-to: hidden@example.org\nsource: TEST\n',
  'domain: 2.0.192.in-addr.arpa\nsource: TEST\n',
];

const requested: SearchNamesRequest = {
  ...{ source: '', types: [], ofKeys: false, pattern: '', limit: 100 },
  ...{ cursor: Buffer.alloc(0), client: '', withTotal: false, unfiltered: false },
};

let searching: Searching;

beforeAll(async () => {
  searching = await startSearching(stored);
});
afterAll(() => searching.stop());

const search = (request: Partial<SearchNamesRequest>) => searching.client.searchNames({ ...requested, ...request });
const keys = async (request: Partial<SearchNamesRequest>) => (await search(request)).objects.map(({ key }) => key);

describe('names', () => {
  test.each<[string, Partial<SearchNamesRequest>, string[]]>([
    [
      'of persons, roles and organisations by name and handle',
      { pattern: 'example*', types: ['person', 'role', 'organisation'] },
      ['EA1-TEST', 'ED2-TEST', 'ED1-TEST', 'ED3-TEST', 'ORG-EX1-TEST'],
    ],
    ['whole, in any letter case', { pattern: ' EXAMPLE  doe' }, ['ED1-TEST', 'ED3-TEST']],
    ['without accents', { pattern: 'example desk' }, ['ED2-TEST']],
    ['with accents', { pattern: 'Éxample Dësk' }, ['ED2-TEST']],
    ['of networks', { pattern: 'example-net*', types: ['in', 'i6'] }, ['192.0.2.0 - 192.0.2.255', '2001:db8::/32']],
    ['of AS numbers', { pattern: 'ex*-as', types: ['aut-num'] }, ['AS64496']],
    ['with wildcards inside', { pattern: 'ex*pl?-ne*6' }, ['2001:db8::/32']],
    ['no part of a name', { pattern: 'example' }, []],
    ['no word inside a name', { pattern: 'doe*' }, []],
  ])('find %s', async (_what, request, found) => {
    expect(await keys(request)).toEqual(found);
  });

  test.each<[string, Partial<SearchNamesRequest>, string[]]>([
    ['handles', { pattern: 'Ed*-test', types: ['person', 'role'] }, ['ED1-TEST', 'ED2-TEST', 'ED3-TEST']],
    ['a whole key', { pattern: 'as64496' }, ['AS64496']],
    ['a range', { pattern: '192.0.2.0 -  192.0.2.255' }, ['192.0.2.0 - 192.0.2.255']],
    ['domains', { pattern: '2.0.192.*', types: ['domain'] }, ['2.0.192.in-addr.arpa']],
    ['no name', { pattern: 'example doe' }, []],
  ])('find %s among keys', async (_what, request, found) => {
    expect(await keys({ ...request, ofKeys: true })).toEqual(found);
  });

  test('of another source are found there', async () => {
    const other = { pattern: 'example doe', source: 'other-grs' };
    expect(await keys(other)).toEqual([]);
    searching.registry.put('person: Example Doe\nnic-hdl: OD1-TEST\nsource: OTHER-GRS\n', { source: 'OTHER-GRS' });
    await expect.poll(() => keys(other)).toEqual(['OD1-TEST']);
  });

  test('come with what lookups show', async () => {
    const { objects } = await search({ pattern: 'ex*' });
    expect(objects.length).toBeGreaterThan(5);
    expect(objects.map(({ text }) => text).join()).not.toContain('hidden');
    expect(objects[0]).toMatchObject({ source: 'TEST', type: 'role', revision: 1 });
    const unfiltered = (await search({ pattern: 'ex*', unfiltered: true })).objects.map(({ text }) => text).join();
    expect(unfiltered).toContain('hidden@example.org');
    expect(unfiltered).not.toContain('auth:');
  });

  test('are counted on request', async () => {
    expect(await search({ pattern: 'example*', limit: 2, withTotal: true })).toMatchObject({ total: 8n });
    expect((await search({ pattern: 'example*', limit: 2 })).total).toBeUndefined();
  });

  test('continue on the next page', async () => {
    const found: string[] = [];
    let cursor: Uint8Array = requested.cursor;
    do {
      const page = await search({ pattern: 'example*', limit: 2, cursor: Buffer.from(cursor) });
      expect(page.objects.length).toBeLessThanOrEqual(2);
      found.push(...page.objects.map(({ key }) => key));
      cursor = page.cursor;
    } while (cursor.length > 0);
    expect(found).toEqual(await keys({ pattern: 'example*' }));
  });

  test.each<[string, Partial<SearchNamesRequest>, string]>([
    ['no text', { pattern: ' ' }, 'cannot be empty'],
    ['a wildcard at the beginning', { pattern: '*doe' }, 'At least 2 characters'],
    ['a wildcard after one character', { pattern: 'e?ample' }, 'At least 2 characters'],
    ['many wildcards', { pattern: 'ex*m*l*' }, 'At most 2 wildcards'],
    ['a long text', { pattern: 'a'.repeat(201) }, 'longer than 200 characters'],
    ['an unknown source', { pattern: 'example', source: 'NOWHERE' }, "Invalid source 'NOWHERE'"],
    ['an unknown type', { pattern: 'example', types: ['thing'] }, 'unknown object type'],
    ['a damaged cursor', { pattern: 'example', cursor: Buffer.from('x') }, 'cursor'],
  ])('refuses %s', async (_what, request, text) => {
    const refusal = search(request).then(
      () => undefined,
      ({ kind, messages: [message] }) => [kind, formatMessage(message)],
    );
    expect(await refusal).toEqual(['invalid', expect.stringContaining(text)]);
  });
});

test('a page ends with 1 MiB of texts', async () => {
  const large = Array.from({ length: 3 }, (_, at) => {
    const remarks = `remarks: ${'x'.repeat(1000)}\n`.repeat(500);
    return `person: Large Object\nnic-hdl: LO${at + 1}-TEST\n${remarks}source: TEST\n`;
  });
  const [serial] = large.map((text) => searching.registry.put(text)).reverse();
  await searching.keys({ query: 'LO3-TEST', minSerial: serial! });
  const page = await search({ pattern: 'large object' });
  expect(page.objects.map(({ key }) => key)).toEqual(['LO1-TEST', 'LO2-TEST']);
  expect(await keys({ pattern: 'large object', cursor: page.cursor })).toEqual(['LO3-TEST']);
});
