import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectFirstStatements } from '../src/postgres/first-statements.js';
import { statementsDuring } from './count-statements.js';
import { noRequest, type Searching, startSearching } from './searching.js';

const contacts = 'admin-c: JD1-TEST\ntech-c: ED1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n';

const networks = ['10.0.0.0 - 10.0.255.255', '10.0.1.0 - 10.0.1.255', '10.0.1.0 - 10.0.1.127', '10.0.2.0 - 10.0.2.255'];

const stored = [
  `mntner: EXAMPLE-MNT\n${contacts}`,
  'person: Jane Doe\nnic-hdl: JD1-TEST\ne-mail: jane@example.net\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
  'role: Example Desk\nnic-hdl: ED1-TEST\nadmin-c: JD1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
  `organisation: ORG-EX1-TEST\norg-name: Example Inc\n${contacts}`,
  `aut-num: AS64496\nas-name: EXAMPLE\norg: ORG-EX1-TEST\n${contacts}`,
  `as-set: AS-EXAMPLE\n${contacts}`,
  `as-block: AS64496 - AS64511\n${contacts}`,
  ...networks.map((range) => `inetnum: ${range}\nnetname: NET\norg: ORG-EX1-TEST\n${contacts}`),
  ...['10.0.0.0/16', '10.0.1.0/24', '10.0.2.0/24'].map((prefix) => `route: ${prefix}\norigin: AS64496\n${contacts}`),
  `domain: 1.0.10.in-addr.arpa\nnserver: ns1.example.net\nzone-c: ED1-TEST\n${contacts}`,
  // So many that PostgreSQL expects different costs for different values.
  ...Array.from({ length: 5_000 }, (_, n) => `person: Crowd Member\nnic-hdl: CM${n + 1}-TEST\nsource: TEST\n`),
];

let searching: Searching;

beforeAll(async () => {
  searching = await startSearching(stored);
});

afterAll(() => searching?.stop());

type Request = Parameters<Searching['keys']>[0];

const range = '10.0.1.0 - 10.0.1.255';
const inverse = (attribute: string, query: string, ...types: string[]): Request => ({
  query,
  inverseAttributes: [attribute],
  types,
});

/** A kind of query, and the statements that it takes without related objects and with them. */
const kinds: [kind: string, request: Request, alone: number, withRelated: number][] = [
  ['exact', { query: range, flags: ['x'] }, 2, 2],
  ['exact, one type', { query: range, flags: ['x'], types: ['inetnum'] }, 2, 2],
  ['nearest', { query: '10.0.1.200' }, 2, 2],
  ['one less', { query: range, flags: ['l'] }, 2, 2],
  ['all less', { query: range, flags: ['L'] }, 2, 2],
  ['one more', { query: '10.0.0.0/16', flags: ['m'] }, 2, 2],
  ['all more', { query: '10.0.0.0/16', flags: ['M'] }, 2, 2],
  ['all more, one type', { query: '10.0.0.0/16', flags: ['M'], types: ['inetnum'] }, 2, 2],
  ['irts of networks', { query: '10.0.0.0/16', flags: ['Mc'], types: ['inetnum'] }, 3, 3],
  ['addresses and reverse domains', { query: '10.0.1.0/24', flags: ['d'] }, 2, 2],
  ['inverse mnt-by', inverse('mnt-by', 'EXAMPLE-MNT'), 2, 2],
  ['inverse mnt-by, one type', inverse('mnt-by', 'EXAMPLE-MNT', 'route'), 2, 2],
  ['inverse origin', inverse('origin', 'AS64496'), 2, 2],
  ['inverse admin-c', inverse('admin-c', 'JD1-TEST'), 2, 2],
  ['inverse nserver and admin-c', inverse('nserver,admin-c', 'ns1'), 3, 3],
  ['a value that names nothing', inverse('mnt-by', 'GONE-MNT'), 1, 1],
  ['name', { query: 'jane doe' }, 1, 1],
  ['name, one type', { query: 'jane doe', types: ['person'] }, 1, 1],
  ['netname', { query: 'NET' }, 2, 2],
  ['mntner by key', { query: 'EXAMPLE-MNT', types: ['mntner'] }, 2, 2],
  ['person by key', { query: 'JD1-TEST' }, 1, 1],
  ['AS number', { query: 'AS64496' }, 3, 3],
  ['nothing found', { query: 'NOTHING' }, 1, 1],
  ['two sources', { query: 'JD1-TEST', sources: ['TEST', 'OTHER-GRS'] }, 3, 3],
];

/** The keys that a search finds; none where nothing is found. */
function search(request: Request, ...flags: string[]): Promise<string[]> {
  return searching.keys({ ...request, flags: [...(request.flags ?? []), ...flags] }).catch((error) => {
    if (error.kind === 'not-found') return [];
    throw error;
  });
}

test.each(kinds)('%s', async (_, request, alone, withRelated) => {
  const statements = async (...flags: string[]) => {
    await search(request, ...flags);
    return (await statementsDuring(() => search(request, ...flags))).length;
  };
  expect([await statements('r'), await statements()]).toEqual([alone, withRelated]);
});

/** Searches that come in one batch, and the statements that all of them take together, alone and with related objects. */
const batches: [kind: string, requests: Request[], alone: number, withRelated: number][] = [
  ['exact', networks.map((query) => ({ query, flags: ['x'] })), 2, 2],
  ['nearest', ['10.0.1.200', '10.0.2.9', '10.0.9.9', '10.9.9.9'].map((query) => ({ query })), 2, 2],
  ['all less', networks.map((query) => ({ query, flags: ['L'] })), 2, 2],
  ['different modes', [{ query: range, flags: ['x'] }, { query: range, flags: ['l'] }, { query: range }], 2, 2],
  [
    'different kinds',
    [{ query: range, flags: ['M'] }, { query: range }, { query: 'jane doe' }, inverse('origin', 'AS64496', 'route')],
    2,
    2,
  ],
  ['several sources', ['TEST', 'OTHER-GRS'].map((source) => ({ query: range, sources: [source] })), 3, 3],
];

test.each(batches)('searches of one turn: %s', async (_, requests, alone, withRelated) => {
  const answersWith = async (...flags: string[]) => {
    const searches = requests.map((request) => ({
      search: { ...noRequest, ...request, flags: [...(request.flags ?? []), ...flags] },
    }));
    return Promise.all(searches.map((search) => searching.client.searchFirstPage(search)));
  };
  const statements = async (...flags: string[]) => {
    await answersWith(...flags);
    return (await statementsDuring(() => answersWith(...flags))).length;
  };
  expect([await statements('r'), await statements()]).toEqual([alone, withRelated]);
});

test('PostgreSQL plans each statement once, for all values', async () => {
  const sent = await statementsDuring(async () => {
    for (let round = 0; round < 10; round++) for (const [, request] of kinds) await search(request);
  });
  const clients = [...new Set(sent.map(({ client }) => client))];
  const plans = await Promise.all(
    clients.map(async (client) => {
      const { rows } = await client.query<{ statement: string; custom_plans: bigint }>(
        'select statement, custom_plans from pg_prepared_statements',
      );
      return rows;
    }),
  );
  const prepared = new Set(plans.flat().map(({ statement }) => statement));
  // Host names, of which the best way depends on how many there are, are planned anew.
  const unprepared = sent.filter(({ text }) => !prepared.has(text)).map(({ text }) => text);
  expect(unprepared.filter((text) => !text.includes(' h.host >= '))).toEqual([]);
  expect(plans.flat().filter(({ custom_plans }) => custom_plans > 0n)).toEqual([]);
});

test('comparisons send the statements of searches', async () => {
  const options = { url: searching.databaseUrl, schema: 'public', source: 'TEST', connections: 1 };
  const statements = connectFirstStatements(options);
  try {
    const unlike = ['inverse nserver and admin-c', 'a value that names nothing', 'two sources'];
    for (const [kind, request] of kinds.filter(([name]) => !unlike.includes(name))) {
      const sent = (await statementsDuring(() => search(request))).map(({ text }) => text);
      const [first] = await statements.of([{ ...noRequest, ...request }]);
      expect(sent, kind).toContain(first!.text);
      expect(await statements.run(first!), kind).toBeGreaterThan(0);
    }
  } finally {
    await statements.end();
  }
});
