import { SearchCursor, type SearchFirstPageResponse } from '@cadastre/proto/search';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noRequest, type Searching, startSearching } from './searching.js';

const contacts = 'admin-c: JD1-TEST\ntech-c: ED1-TEST\nmnt-by: EXAMPLE-MNT\n';
const networks = Array.from({ length: 256 }, (_, n) => `10.0.${n}.0 - 10.0.${n}.255`);
const large = 'x'.repeat(400_000);

let searching: Searching;
/** Delays the holders until it is called. */
let release: () => void = () => {};
let held: Promise<void> = Promise.resolve();

beforeAll(async () => {
  const stored = [
    `mntner: EXAMPLE-MNT\n${contacts}source: TEST\n`,
    'person: Jane Doe\nnic-hdl: JD1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
    'role: Example Desk\nnic-hdl: ED1-TEST\nadmin-c: JD1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
    `organisation: ORG-EX1-TEST\norg-name: Example Inc\n${contacts}source: TEST\n`,
    `inetnum: 10.0.0.0 - 10.255.255.255\nnetname: NET\n${contacts}source: TEST\n`,
    ...networks.map((range) => `inetnum: ${range}\nnetname: NET\norg: ORG-EX1-TEST\n${contacts}source: TEST\n`),
    ...networks.map((range) => {
      return `route: ${range.split(' ')[0]}/24\norigin: AS64496\n${contacts}source: TEST\n`;
    }),
    ...Array.from(
      { length: 6 },
      (_, n) => `mntner: LARGE${n}-MNT\nremarks: ${large}\nmnt-by: LARGE0-MNT\nsource: TEST\n`,
    ),
  ];
  searching = await startSearching(stored, {
    describeHolders: async () => {
      await held;
      return [];
    },
  });
  const other = searching.registry.put('person: Jane Doe\nnic-hdl: JD1-TEST\nsource: OTHER-GRS\n', {
    source: 'OTHER-GRS',
  });
  await searching.responses({ query: 'JD1-TEST', sources: ['OTHER-GRS'], minSerial: other });
});

afterAll(() => searching?.stop());

type Request = Parameters<Searching['responses']>[0];

function firstPage(request: Request) {
  return searching.client.searchFirstPage({ search: { ...noRequest, ...request } });
}

/** The messages of a result after its first page. */
const rest = (request: Request, cursor: Buffer) => searching.responses({ ...request, cursor });

const inverse = { query: 'EXAMPLE-MNT', inverseAttributes: ['mnt-by'] };

const aPlace: SearchCursor = {
  objects: 0,
  source: 0,
  type: 'inetnum',
  key: 'x',
  first: '167772160',
  last: String(2n ** 128n - 1n),
  related: undefined,
};

/** Whether a result has more than one page: undefined if that depends on how fast the next source answers. */
type IsLonger = boolean | undefined;

test.each<[string, Request, IsLonger]>([
  ['a small result', { query: 'JD1-TEST' }, false],
  ['one object', { query: networks[3]!, flags: ['r', 'x'], types: ['inetnum'] }, false],
  ['several sources', { query: 'JD1-TEST', sources: ['TEST', 'OTHER-GRS'] }, undefined],
  ['a part that is empty', { query: 'JD1-TEST', offset: 5 }, false],
  ['as many as it asks for', { query: '10.0.0.0/8', flags: ['rM'], types: ['inetnum'], limit: 100 }, false],
  ['networks', { query: '10.0.0.0/8', flags: ['rM'], types: ['inetnum'] }, true],
  ['networks with their contacts', { query: '10.0.0.0/8', flags: ['M'], types: ['inetnum'] }, true],
  ['networks with their contacts at the end', { query: '10.0.0.0/8', flags: ['MG'], types: ['inetnum'] }, true],
  ['all types, first level', { query: '10.0.0.0/8', flags: ['m'] }, true],
  ['by name, in the order of addresses', { query: 'NET' }, true],
  ['an inverse lookup', inverse, true],
  ['an inverse lookup without related objects', { ...inverse, flags: ['r'] }, true],
  ['an inverse lookup by address', { ...inverse, byAddress: true }, true],
  ['a part in the middle', { ...inverse, offset: 30, limit: 300 }, true],
  ['a part that a group is in', { query: '10.0.0.0/8', flags: ['M'], offset: 98, limit: 104 }, true],
  ['large objects', { query: 'LARGE0-MNT', inverseAttributes: ['mnt-by'], flags: ['r'] }, true],
  [
    'a result that another source continues',
    { query: '10.0.0.0/8', flags: ['rM'], sources: ['TEST', 'OTHER-GRS'] },
    true,
  ],
])('the first page and the rest are the whole result: %s', async (_, request, isLonger) => {
  const whole = await searching.responses(request);
  const { page, cursor, processingMs } = await firstPage(request);
  const hasRest = cursor.length > 0;
  expect(hasRest).toBe(isLonger ?? hasRest);
  const found = [page!, ...(hasRest ? await rest(request, cursor) : [])];
  expect(found.flatMap(({ objects }) => objects)).toEqual(whole.flatMap(({ objects }) => objects));
  expect({ ...page!, objects: [] }).toEqual({ ...whole[0]!, objects: [], processingMs: undefined });
  expect([processingMs, whole[0]!.processingMs]).toEqual([expect.any(Number), expect.any(Number)]);
  expect(Math.max(...found.map(({ objects }) => objects.length))).toBeLessThanOrEqual(100);
});

test.each<[string, Request, number]>([
  ['one object at a time', { query: 'JD1-TEST', sources: ['TEST', 'OTHER-GRS'] }, 1],
  ['groups cut anywhere', { query: '10.0.0.0/22', flags: ['M'], types: ['inetnum'] }, 3],
  ['full pages', { query: '10.0.0.0/8', flags: ['rM'], types: ['inetnum'] }, 100],
  ['more than a page', { query: '10.0.0.0/8', flags: ['M'], types: ['inetnum'] }, 333],
  ['contacts at the end', { query: '10.0.0.0/8', flags: ['MG'], types: ['inetnum'] }, 85],
  ['first level of all types', { query: '10.0.0.0/8', flags: ['rm'] }, 90],
  ['by name, in the order of addresses', { query: 'NET', flags: ['r'] }, 60],
  ['an inverse lookup', { ...inverse, flags: ['r'] }, 97],
  ['an inverse lookup by address', { ...inverse, flags: ['r'], byAddress: true }, 97],
  ['an inverse lookup by address, with contacts', { ...inverse, byAddress: true }, 60],
  ['an inverse lookup with hosts', { query: 'ED1-TEST', inverseAttributes: ['nserver', 'zone-c', 'tech-c'] }, 150],
  ['large objects', { query: 'LARGE0-MNT', inverseAttributes: ['mnt-by'], flags: ['r'] }, 4],
  ['tags hide objects', { ...inverse, excludeTags: ['hidden'] }, 40],
])('searches from the end of the one before find the whole result: %s', async (_, request, limit) => {
  const whole = await searching.objects(request);
  const found: typeof whole = [];
  let next: Pick<Request, 'start' | 'offset'> | undefined = {};
  while (next !== undefined) {
    const { page, ...answer }: SearchFirstPageResponse = await firstPage({ ...request, ...next, limit });
    const first = page!.objects;
    // Like the gateway: the end of the limit is unknown until all of a long part was read.
    const others = answer.cursor.length === 0 ? [] : await rest({ ...request, ...next, limit }, answer.cursor);
    found.push(...first, ...others.flatMap(({ objects }) => objects));
    expect(found.length).toBeLessThanOrEqual(whole.length);
    if (answer.next) next = { start: answer.next };
    else if (answer.cursor.length > 0) next = { start: answer.cursor, offset: limit - first.length };
    else next = undefined;
  }
  expect(found).toEqual(whole);
});

test.each([
  ['nothing but bytes', Buffer.from('cursor')],
  ['a source that is not searched', Buffer.from(SearchCursor.encode({ ...aPlace, source: 1 }).finish())],
  ['an unknown type', Buffer.from(SearchCursor.encode({ ...aPlace, type: 'x' }).finish())],
  ['an end beyond all addresses', Buffer.from(SearchCursor.encode({ ...aPlace, last: '9'.repeat(39) }).finish())],
  ['an end that is no number', Buffer.from(SearchCursor.encode({ ...aPlace, first: '0x1' }).finish())],
])('a place that no answer told is refused: %s', async (_, start) => {
  const { failure } = await firstPage({ query: '10.0.0.0/8', flags: ['rM'], start });
  expect(failure).toMatchObject({ code: 3, messages: [{ text: "Invalid value in parameter 'cursor'" }] });
});

test('a place of another search does no harm', async () => {
  const places = [aPlace, { ...aPlace, type: 'person' }, { ...aPlace, first: '', last: '' }];
  const starts = places.map((place) => Buffer.from(SearchCursor.encode(place).finish()));
  const queries: Request[] = [{ query: '10.0.0.0/8', flags: ['M'] }, { query: 'JD1-TEST' }, inverse, { query: 'NET' }];
  for (const start of starts) {
    const answers = await Promise.all(queries.map((query) => firstPage({ ...query, start })));
    expect(answers.map(({ failure }) => failure)).toEqual(queries.map(() => undefined));
  }
});

/** A whole result whose first page comes by itself. */
async function pagesAfterFirst(request: Request) {
  const { page, cursor } = await firstPage(request);
  return [page!, ...(cursor.length > 0 ? await rest(request, cursor) : [])];
}

const briefly: [string, Request][] = [
  ['networks with their contacts', { query: '10.0.0.0/8', flags: ['M'], types: ['inetnum'] }],
  ['a network, then its contacts', { query: networks[3]!, flags: ['x', 'G'], types: ['inetnum'] }],
  ['several sources', { query: 'JD1-TEST', sources: ['TEST', 'OTHER-GRS'] }],
];

test.each([
  ...briefly.map(([name, request]) => [name, request, (one: Request) => searching.responses(one)] as const),
  ...briefly.map(([name, request]) => [`${name}, the first page by itself`, request, pagesAfterFirst] as const),
])(
  'a brief result has the same objects, with their contacts in one place for each page: %s',
  async (_, request, read) => {
    const whole = await searching.objects(request);
    const pages = await read({ ...request, brief: true });
    const shown = whole.map(({ object, ...rest }) => {
      return { ...rest, object: { ...object!, revision: 0, serial: 0n, created: undefined, lastModified: undefined } };
    });
    const objects = pages.flatMap(({ objects, contacts }) => {
      const known = new Map(contacts!.sources.map((one) => [one.source, one]));
      expect(known.size).toBe(contacts!.sources.length);
      return objects.map(({ object, ...rest }) => {
        expect(object!.contacts).toEqual([]);
        const handles = [...object!.text.matchAll(/^(?:admin|tech)-c: *(.*)$/gm)].map(([, handle]) =>
          handle!.toLowerCase(),
        );
        const typed = handles.flatMap((nicHdl) => {
          const { roles = [], persons = [] } = known.get(object!.source) ?? {};
          if (roles.includes(nicHdl)) return [{ nicHdl, type: 'role' }];
          return persons.includes(nicHdl) ? [{ nicHdl, type: 'person' }] : [];
        });
        return { ...rest, object: { ...object!, contacts: typed } };
      });
    });
    expect(objects).toEqual(shown);
  },
);

test('every search has an outcome of its own', async () => {
  const requests: Request[] = [
    { query: 'JD1-TEST', flags: ['r'] },
    { query: 'NOTHING-MNT' },
    { query: 'x', flags: ['F'] },
    { query: 'JD1-TEST', minSerial: 1_000_000n },
    { query: 'ED1-TEST', flags: ['r'] },
  ];
  const outcomes = await Promise.all(requests.map(firstPage));
  expect(outcomes.map(({ page, failure }) => page?.objects.map(({ object }) => object!.key) ?? failure!.code)).toEqual([
    ['JD1-TEST'],
    5,
    3,
    11,
    ['ED1-TEST'],
  ]);
  expect(outcomes[1]!.failure!.messages[0]).toMatchObject({
    text: expect.stringMatching(/^ERROR:101/),
    args: ['TEST'],
  });
});

test('searches count by their outcome, though their call succeeds', async () => {
  const counts = async () => {
    const counted = await searching.metrics.getSingleMetric('cadastre_search_first_pages_total')!.get();
    return new Map(counted.values.map(({ labels, value }) => [labels.outcome, value]));
  };
  const before = await counts();
  const requests: Request[] = [
    { query: 'JD1-TEST' },
    { query: 'NOTHING-MNT' },
    { query: 'NO-MNT' },
    { query: 'x', flags: ['F'] },
  ];
  await Promise.all(requests.map(firstPage));
  const after = await counts();
  const grown = [...after].map(([outcome, count]) => [outcome, count - (before.get(outcome) ?? 0)]);
  expect(Object.fromEntries(grown)).toMatchObject({ ok: 1, 'not-found': 2, invalid: 1 });
});

test('a slow search delays no other one', async () => {
  held = new Promise((resolve) => {
    release = resolve;
  });
  const annotations = { managedAttributes: false, resourceHolder: true, abuseContact: false, roaCheck: false };
  const slow = { query: networks[0]!, types: ['inetnum'], annotations };
  const fast = { query: networks[1]!, types: ['inetnum'] };
  const order: string[] = [];
  const slowly = firstPage(slow).then(() => order.push('slow'));
  await Promise.all([firstPage(fast), firstPage(fast)]);
  order.push('fast');
  release();
  await slowly;
  expect(order).toEqual(['fast', 'slow']);
});

test('a first page with a cursor is refused', async () => {
  await expect(firstPage({ query: 'JD1-TEST', cursor: Buffer.from([1]) })).rejects.toMatchObject({ kind: 'invalid' });
});

test.each([
  ['no cursor', Buffer.from([1])],
  ['an unknown type', Buffer.from([0x1a, 1, 0x78])],
])('a cursor that is none is refused: %s', async (_, cursor) => {
  await expect(rest(inverse, cursor)).rejects.toMatchObject({ kind: 'invalid' });
});

describe('writes between the first page and the rest', () => {
  const request = { query: '10.0.0.0/8', flags: ['rM'], types: ['inetnum'] };
  const networkOf = (range: string) => `inetnum: ${range}\nnetname: NET\nmnt-by: EXAMPLE-MNT\nsource: TEST\n`;

  test('repeat nothing and lose nothing else, also when the last object of the page is gone', async () => {
    const { page, cursor } = await firstPage(request);
    const before = page!.objects.map(({ object }) => object!.key);
    const last = before.at(-1)!;
    searching.registry.put(networkOf('10.0.0.0 - 10.0.0.127'));
    const serial = searching.registry.remove('inetnum', last);
    await searching.responses({ ...request, limit: 0, minSerial: serial });
    const after = (await rest(request, cursor)).flatMap(({ objects }) => objects).map(({ object }) => object!.key);
    expect([...before, ...after]).toEqual(networks);
    const again = searching.registry.put(networkOf(last));
    await searching.responses({ ...request, limit: 0, minSerial: again });
  });
});
