import type { SearchWordsRequest } from '@cadastre/proto/search';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Searching, startSearching } from './searching.js';

const stored = [
  'organisation: ORG-EX1-TEST\norg-name: Example Networks\naddress: Main Street\naddress: Amsterdam\ne-mail: hidden@example.org\nsource: TEST\n',
  'mntner: EXAMPLE-MNT\ndescr: Maintainer of Example\nauth: SSO hidden@example.org\nupd-to: hidden@example.org\nsource: TEST\n',
  'inetnum: 192.0.2.0 - 192.0.2.255\nnetname: EXAMPLE-NET\ndescr: Example Networks, Amsterdam\nnotify: hidden@example.org\nsource: TEST\n',
  'inet6num: 2001:DB8::/32\nnetname: EXAMPLE-NET-6\ndescr: Example Networks\nsource: TEST\n',
  'role: Example Abuse\naddress: Amsterdam\nnic-hdl: EA1-TEST\nabuse-mailbox: abuse@example.net\nsource: TEST\n',
  'role: Example Person\naddress: Amsterdam\nnic-hdl: EP1-TEST\nsource: TEST\n',
  'person: Example Doe\naddress: Amsterdam\nnic-hdl: ED1-TEST\nremarks: hidden@example.org\nsource: TEST\n',
];

const requested: SearchWordsRequest = {
  query: '',
  source: '',
  types: [],
  limit: 20,
  cursor: Buffer.alloc(0),
  client: '',
};

let searching: Searching;

beforeAll(async () => {
  searching = await startSearching(stored);
});
afterAll(() => searching.stop());

const search = (request: Partial<SearchWordsRequest>) => searching.client.searchWords({ ...requested, ...request });
const keys = async (request: Partial<SearchWordsRequest>) =>
  (await search(request)).found.map(({ object }) => object!.key);

describe('words', () => {
  test.each<[string, Partial<SearchWordsRequest>, string[]]>([
    [
      'names before descriptions before addresses',
      { query: 'amsterdam' },
      ['192.0.2.0 - 192.0.2.255', 'ORG-EX1-TEST', 'EA1-TEST'],
    ],
    [
      'a whole name first, single characters are no words',
      { query: 'example-net' },
      ['192.0.2.0 - 192.0.2.255', '2001:db8::/32'],
    ],
    [
      'in any letter case, with accents, in any order',
      { query: ' NETWORKS, Éxample ' },
      ['ORG-EX1-TEST', '192.0.2.0 - 192.0.2.255', '2001:db8::/32'],
    ],
    [
      'types by their short names',
      { query: 'example', types: ['in,i6'] },
      ['192.0.2.0 - 192.0.2.255', '2001:db8::/32'],
    ],
    ['a handle of a person', { query: 'ed1-test' }, ['ED1-TEST']],
    ['a handle of a role without abuse-mailbox', { query: 'EP1-TEST' }, ['EP1-TEST']],
    ['no name of a person', { query: 'Example Doe' }, []],
    ['no address of a person', { query: 'amsterdam', types: ['person'] }, []],
    ['nothing that lookups hide', { query: 'hidden' }, []],
    ['nothing in what has no words', { query: '- / -' }, []],
  ])('find %s', async (_what, request, found) => {
    expect(await keys(request)).toEqual(found);
  });

  test('of another source are found there', async () => {
    const other = { query: 'amsterdam', source: 'other-grs' };
    expect(await keys(other)).toEqual([]);
    searching.registry.put('mntner: OTHER-MNT\ndescr: Amsterdam\nsource: OTHER-GRS\n', { source: 'OTHER-GRS' });
    await expect.poll(() => keys(other)).toEqual(['OTHER-MNT']);
  });

  test('come with counts, titles, matches and the serial', async () => {
    const { serial } = (await searching.index.position('TEST'))!;
    expect(await search({ query: 'example amsterdam', limit: 2 })).toEqual({
      found: [
        {
          object: { source: 'TEST', type: 'inetnum', key: '192.0.2.0 - 192.0.2.255', title: 'EXAMPLE-NET' },
          matches: [
            { name: 'netname', value: 'EXAMPLE-NET' },
            { name: 'descr', value: 'Example Networks, Amsterdam' },
          ],
        },
        expect.anything(),
      ],
      counts: [
        { type: 'inetnum', objects: 1n },
        { type: 'organisation', objects: 1n },
        { type: 'role', objects: 1n },
      ],
      isPartial: false,
      serial,
      processingMs: expect.any(Number),
      cursor: expect.any(Buffer),
    });
  });

  test('continue with the cursor', async () => {
    const all = await keys({ query: 'example' });
    const found: string[] = [];
    let cursor = Buffer.alloc(0);
    do {
      const page = await search({ query: 'example', limit: 2, cursor });
      found.push(...page.found.map(({ object }) => object!.key));
      cursor = Buffer.from(page.cursor);
    } while (cursor.length > 0);
    expect(found).toEqual(all);
    expect(all).toHaveLength(5);
  });

  test('only the counts come with the limit 0', async () => {
    const { found, counts, cursor } = await search({ query: 'networks', limit: 0 });
    expect([found.length, counts.length, cursor.length]).toEqual([0, 3, 0]);
  });

  const words = (count: number) => Array.from({ length: count }, (_, n) => `word${n}`).join(' ');
  test.each<[string, Partial<SearchWordsRequest>, string]>([
    ['no text', { query: ' ' }, "Query param 'query-string' cannot be empty"],
    ['nine words', { query: words(9) }, 'At most 8 words can be searched for'],
    ['a long text', { query: 'a'.repeat(1_001) }, 'The search text is longer than 1000 characters'],
    ['an unknown source', { source: 'NOWHERE' }, "Invalid source 'NOWHERE'"],
    ['an unknown type', { types: ['nothing'] }, "ERROR:103: unknown object type 'nothing'\n"],
    ['a damaged cursor', { cursor: Buffer.from('no cursor') }, "Invalid value in parameter 'cursor'"],
    [
      'a cursor of other types',
      { cursor: Buffer.from('\x12\x06mntner'), types: ['in'] },
      "Invalid value in parameter 'cursor'",
    ],
  ])('are refused: %s', async (_what, request, text) => {
    const refusal = search({ query: 'example', ...request });
    await expect(refusal).rejects.toMatchObject({ kind: 'invalid', messages: [expect.anything()] });
    await refusal.catch(({ messages: [message] }) => {
      expect(message.text.replaceAll(/%s/g, () => message.args.shift())).toBe(text);
    });
  });

  test('as many as may be, each once', async () => {
    expect(await keys({ query: `${words(7)} example example Example` })).toEqual([]);
  });
});

describe('suggestions', () => {
  const suggest = async (beginning: string, limit = 8) => {
    const { suggestions } = await searching.client.suggest({ beginning, limit, client: '' });
    return suggestions.map(({ source, type, key, title }) => `${source} ${type} ${key} (${title})`);
  };

  test.each<[string, string[]]>([
    [
      'EXAMPLE-',
      [
        'TEST mntner EXAMPLE-MNT (Maintainer of Example)',
        'TEST inetnum 192.0.2.0 - 192.0.2.255 (EXAMPLE-NET)',
        'TEST inet6num 2001:db8::/32 (EXAMPLE-NET-6)',
      ],
    ],
    [' exámple n', ['TEST organisation ORG-EX1-TEST (Example Networks)']],
    [
      'ex',
      [
        'TEST role EA1-TEST (Example Abuse)',
        'TEST organisation ORG-EX1-TEST (Example Networks)',
        'TEST mntner EXAMPLE-MNT (Maintainer of Example)',
        'TEST inetnum 192.0.2.0 - 192.0.2.255 (EXAMPLE-NET)',
        'TEST inet6num 2001:db8::/32 (EXAMPLE-NET-6)',
      ],
    ],
    ['2001:DB8', ['TEST inet6num 2001:db8::/32 (EXAMPLE-NET-6)']],
    ['ed1', ['TEST person ED1-TEST ()']],
    ['ep1-test', ['TEST role EP1-TEST ()']],
    ['example d', []],
    ['e', []],
    ['', []],
    ['x'.repeat(201), []],
  ])('for %j', async (beginning, expected) => {
    expect(await suggest(beginning)).toEqual(expected);
  });

  test('as many as asked for, 20 at most', async () => {
    expect(await suggest('ex', 2)).toHaveLength(2);
    expect(await suggest('ex', 0)).toEqual([]);
    expect(await suggest('ex', 1_000)).toHaveLength(5);
  });
});
