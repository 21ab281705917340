import type { SearchFirstPageResponse, SearchRequest } from '@cadastre/proto/search';
import { formatMessage } from '@cadastre/service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maxFiltered } from '../src/index-port.js';
import { document } from './contract/documents.js';
import { collect, noRequest, type Searching, startSearching } from './searching.js';

const tail = 'tech-c: AE9-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n';
const large = 'x'.repeat(400_000);

const stored = [
  'mntner: EXAMPLE-MNT\nsource: TEST\n',
  `inetnum: 192.0.2.0 - 192.0.2.255\nnetname: NET-10\ndescr: Caf\u00e9\n${tail}`,
  `inetnum: 10.0.0.0 - 10.0.0.255\nnetname: NET-9\n${tail}`,
  `inetnum: 9.0.0.0 - 9.255.255.255\nnetname: net-2\n${tail}`,
  `route: 10.0.0.0/24\norigin: AS64500\ndescr: Office\ndescr: Second line\n${tail}`,
  `as-set: AS-EXAMPLE\ndescr: Caf\u00e9 Zo\u00eb\n${tail}`,
  'person: Zo\u00eb Example\nnic-hdl: AE10-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
  'person: Alice Example\nnic-hdl: AE9-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
  'mntner: LARGE-MNT\nsource: TEST\n',
  ...Array.from({ length: 7 }, (_, n) => `as-set: AS-LARGE-${n}\nremarks: ${large}\nmnt-by: LARGE-MNT\nsource: TEST\n`),
  'mntner: ROOT-MNT\nmnt-by: LONELY-MNT\nsource: TEST\n',
  'mntner: LONELY-MNT\nsource: TEST\n',
];

let searching: Searching;

beforeAll(async () => {
  searching = await startSearching(stored);
});
afterAll(() => searching?.stop());

const inverse = { query: 'EXAMPLE-MNT', inverseAttributes: ['mnt-by'], byAddress: true };

async function firstPage(request: Partial<SearchRequest>): Promise<SearchFirstPageResponse> {
  return searching.client.searchFirstPage({ search: { ...noRequest, ...inverse, ...request } });
}

const keysOf = ({ page }: SearchFirstPageResponse) => page?.objects.map(({ object }) => object!.key.split(' ')[0]);

test.each([
  ['net', ['9.0.0.0', '10.0.0.0', '192.0.2.0']],
  ['AE9', ['AE9-TEST']],
  ['example zoe', ['AS-EXAMPLE', 'AE10-TEST']],
  ['  ZO\u00cb  Person ', ['AE10-TEST']],
  [' OFFICE ', ['10.0.0.0/24AS64500']],
  ['10.0.0.77', ['10.0.0.0', '10.0.0.0/24AS64500']],
  ['8.0.0.0/7', ['9.0.0.0']],
  ['person', ['AE10-TEST', 'AE9-TEST']],
  ['cafe', ['AS-EXAMPLE']],
  ['second', []],
  ['nothing', []],
])('contains=%s finds %j, by address, without related objects', async (contains, expected) => {
  const answer = await firstPage({ contains });
  expect(keysOf(answer)).toEqual(expected);
  expect([answer.next, answer.cursor.length]).toEqual([undefined, 0]);
  expect(answer.page).toMatchObject({ compared: 7, messages: [] });
});

/** The objects and what was compared of each page, to the end. */
async function allPages(request: Partial<SearchRequest>) {
  const pages: { keys: unknown; compared: number | undefined }[] = [];
  let start: Uint8Array | undefined;
  do {
    const answer = await firstPage({ ...request, ...(start && { start: Buffer.from(start) }) });
    expect([answer.failure, answer.cursor.length]).toEqual([undefined, 0]);
    pages.push({ keys: keysOf(answer), compared: answer.page!.compared });
    start = answer.next;
  } while (start !== undefined);
  return pages;
}

test('a page ends with its limit, and the next one continues after it', async () => {
  expect(await allPages({ contains: 'net', types: ['inetnum'], limit: 2 })).toEqual([
    { keys: ['9.0.0.0', '10.0.0.0'], compared: 2 },
    { keys: ['192.0.2.0'], compared: 1 },
  ]);
});

test('a page of large objects ends with a mebibyte', async () => {
  const pages = await allPages({ query: 'LARGE-MNT', contains: 'as-large', limit: 100 });
  const name = (n: number) => `AS-LARGE-${n}`;
  expect(pages).toEqual([
    { keys: [0, 1].map(name), compared: 2 },
    { keys: [2, 3].map(name), compared: 2 },
    { keys: [4, 5].map(name), compared: 2 },
    { keys: [6].map(name), compared: 1 },
  ]);
});

test('other filters apply to what passed', async () => {
  expect(await allPages({ contains: 'net', excludeTags: ['hidden'], flags: ['no-valid-syntax'], limit: 2 })).toEqual([
    { keys: ['9.0.0.0', '10.0.0.0'], compared: 2 },
    { keys: ['192.0.2.0'], compared: 5 },
  ]);
});

test('nothing refers to the object: as without a filter', async () => {
  const { failure } = await firstPage({ query: 'AE10-TEST', inverseAttributes: ['admin-c'], contains: 'net' });
  expect(failure?.messages.map(formatMessage)).toEqual([expect.stringContaining('ERROR:101: no entries found')]);
});

const invalid = "Invalid value in parameter 'contains'";
const unfit = "Parameter 'contains' is only for inverse searches";

test.each<[string, Partial<SearchRequest>, string]>([
  ['one character', { contains: ' x ' }, invalid],
  ['no character', { contains: '' }, invalid],
  ['65 characters', { contains: 'x'.repeat(65) }, invalid],
  ['a control character', { contains: 'a\u0007b' }, invalid],
  ['a direct lookup', { contains: 'ab', inverseAttributes: [] }, unfit],
  ['two sources', { contains: 'ab', sources: ['TEST', 'OTHER-GRS'] }, unfit],
  ['an offset', { contains: 'ab', offset: 1 }, unfit],
  ['no room for an object', { contains: 'ab', limit: 0 }, unfit],
  ['the past', { contains: 'ab', asOf: { point: { $case: 'serial', value: 1n } } }, 'ERROR:112: unsupported query'],
])('a filter is refused: %s', async (_what, request, text) => {
  const { failure } = await firstPage(request);
  expect(failure).toMatchObject({ code: 3 });
  expect(formatMessage(failure!.messages[0]!)).toContain(text);
});

test('a stream has no filter', async () => {
  const streamed = searching.client.search({ ...noRequest, ...inverse, contains: 'net' });
  await expect(collect(streamed)).rejects.toMatchObject({ kind: 'invalid' });
});

describe('of very many objects', () => {
  const name = (n: number) => `M${String(n).padStart(5, '0')}-MNT`;

  beforeAll(async () => {
    const { index } = searching;
    const position = (await index.position('TEST'))!;
    const rebuild = await index.beginRebuild('TEST', position);
    const ofRoot = (key: string) => {
      const text = `mntner: ${key}\nmnt-by: ROOT-MNT\nsource: TEST\n`;
      const terms = ['mnt-by=root-mnt'];
      return document({ source: 'TEST', type: 'mntner', key: key.toLowerCase(), terms, text });
    };
    await rebuild.fill([document({ source: 'TEST', type: 'mntner', key: 'root-mnt' })], '0');
    await rebuild.fill(
      Array.from({ length: maxFiltered + 100 }, (_, n) => ofRoot(name(n))),
      '1',
    );
    expect(await rebuild.finish(position)).toBe(true);
  });

  test('a page that has compared as many as it may says so, and where to continue', async () => {
    const request = { query: 'ROOT-MNT', contains: name(maxFiltered + 5) };
    const { page, next } = await firstPage(request);
    expect({ objects: page!.objects, compared: page!.compared }).toEqual({ objects: [], compared: maxFiltered });
    expect(page!.messages.map(formatMessage)).toEqual([
      "'contains' has compared 10000 objects and more follow: continue with the next page",
    ]);
    const last = await firstPage({ ...request, start: next! });
    expect([keysOf(last), last.next, last.page!.messages]).toEqual([[name(maxFiltered + 5)], undefined, []]);
  });
});
