import type { Mode, Range } from '@cadastre/query';
import { testDatabase } from '@cadastre/service/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IndexDocument, SearchIndex, TypeQuery } from '../src/index-port.js';
import { createPostgresIndex } from '../src/postgres/postgres-index.js';
import { document, fill, ipv4, keys } from './contract/documents.js';
import { largestReadDuring, statementsDuring } from './count-statements.js';

let database: Awaited<ReturnType<typeof testDatabase>>;
let admin: pg.Client;
let index: SearchIndex;

const connections = 4;

beforeAll(async () => {
  database = await testDatabase(new URL('../migrations/', import.meta.url));
  admin = new pg.Client(database.url);
  await admin.connect();
  index = createPostgresIndex({ url: database.url, connections });
  await index.start();
  await fill(index, 'MODEL', stored);
  await fill(index, 'CROWD', crowd);
});

afterAll(async () => {
  await index?.stop();
  await admin?.end();
  await database?.drop();
});

/** Numbers below `bound`; the same in each run. */
function randomNumbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const random = randomNumbers(14);
const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
const base = ipv4('10.0.0.0');
const rangeOf = (first: number, last: number): Range => ({
  space: 'ipv4',
  first: base + BigInt(first),
  last: base + BigInt(last),
});

/** Nested or disjoint ranges. */
function nested(first: number, last: number, depth: number): Range[] {
  if (depth === 0 || last - first < 2) return [rangeOf(first, last)];
  const inside: Range[] = [];
  for (let at = first + random(4); at <= last; ) {
    const end = Math.min(last, at + 1 + random(Math.ceil((last - first) / 3)));
    if (random(4) > 0) inside.push(...nested(at, end, depth - 1));
    at = end + 1 + random(3);
  }
  return [rangeOf(first, last), ...inside];
}

const ranges = [
  ...new Map(
    [...nested(0, 3000, 4), ...nested(4000, 6000, 3)].map((one) => [`${one.first}-${one.last}`, one]),
  ).values(),
];
const words = ['jane', 'john', 'doe', 'roe', 'poe'];
const name = ({ first, last }: Range) => `${first}-${last}`;
const stored: IndexDocument[] = [
  ...ranges.map((range) => {
    const terms = [`netname=${pick(words)}`, `mnt-by=${pick(words)}`];
    return document({ source: 'MODEL', type: 'inetnum', key: name(range), range, terms });
  }),
  ...ranges.flatMap((range) => {
    const origins = ['as1', 'as2', 'as10'].slice(0, random(4));
    return origins.map((origin) => {
      const terms = [`origin=${origin}`, `mnt-by=${pick(words)}`];
      return document({ source: 'MODEL', type: 'route', key: `${name(range)}${origin}`, range, origin, terms });
    });
  }),
  ...Array.from({ length: 60 }, (_, n) => {
    const terms = [`word=${pick(words)}`, `word=${pick(words)}`, `mnt-by=${pick(words)}`];
    const type = pick(['person', 'role'] as const);
    return document({ source: 'MODEL', type, key: `p${n}`, terms: [...new Set(terms)] });
  }),
];

const byKey = (one: IndexDocument, other: IndexDocument) => (one.key < other.key ? -1 : 1);
const byAddress = (one: IndexDocument, other: IndexDocument) =>
  Number(one.range!.first - other.range!.first) || Number(other.range!.last - one.range!.last) || byKey(one, other);
const isInside = (inner: Range, outer: Range) => outer.first <= inner.first && inner.last <= outer.last;
const isEqual = (one: Range, other: Range) => one.first === other.first && one.last === other.last;

/** The stored ranges that a mode finds, by its definition. */
function around(all: readonly Range[], asked: Range, mode: Mode): Range[] {
  const containing = all.filter((one) => isInside(asked, one) && (mode !== 'one-less' || !isEqual(one, asked)));
  const within = all.filter((one) => isInside(one, asked) && !isEqual(one, asked));
  const smallest = containing.filter((one) => containing.every((other) => isInside(one, other)));
  switch (mode) {
    case 'exact':
      return all.filter((one) => isEqual(one, asked));
    case 'all-less':
      return containing;
    case 'all-more':
      return within;
    case 'one-more':
      return within.filter((one) => within.every((other) => isEqual(one, other) || !isInside(one, other)));
    default:
      return smallest;
  }
}

/** What a query must find. */
function expected(query: TypeQuery): string[] {
  const all = stored.filter(({ type }) => type === query.type);
  if (query.kind === 'terms') {
    const found = all.filter(({ terms }) => query.anyOf.some((list) => list.every((term) => terms.includes(term))));
    return found.sort(query.order === 'key' ? byKey : byAddress).map(({ key }) => key);
  }
  if (query.kind !== 'range') throw new Error(query.kind);
  const found = around(
    all.map(({ range }) => range!),
    query.range,
    query.mode,
  );
  return all
    .filter(({ range, origin }) => found.some((one) => isEqual(one, range!)) && origin === (query.origin ?? origin))
    .sort(byAddress)
    .map(({ key }) => key);
}

const modes: readonly Mode[] = ['default', 'exact', 'one-less', 'all-less', 'one-more', 'all-more'];

/** The queries of a search. */
function randomSearch(): TypeQuery[] {
  if (random(3) > 0) {
    const first = random(6500);
    const some = rangeOf(first, first + random(pick([1, 10, 500])));
    const range = random(2) > 0 ? pick(ranges) : some;
    const mode = pick(modes);
    const origin = random(4) > 0 ? {} : { origin: pick(['as1', 'as2']) };
    const networks: TypeQuery = { kind: 'range', type: 'inetnum', range, mode };
    const routes: TypeQuery = { kind: 'range', type: 'route', range, mode, ...origin };
    return pick([[networks], [routes], [networks, routes]]);
  }
  const byWords = (['role', 'person'] as const).map((type): TypeQuery => {
    const anyOf = [[`word=${pick(words)}`, `word=${pick(words)}`], [`mnt-by=${pick(words)}`]];
    return { kind: 'terms', type, anyOf: pick([anyOf, anyOf.slice(1), anyOf.slice(0, 1)]), order: 'key' };
  });
  const term = pick(['netname', 'mnt-by']);
  const networks: TypeQuery = {
    kind: 'terms',
    type: 'inetnum',
    anyOf: [[`${term}=${pick(words)}`]],
    order: pick(['address', 'key']),
  };
  return pick([byWords, [networks], [...byWords, networks], [networks, ...byWords]]);
}

const ask = (searches: readonly (readonly TypeQuery[])[], source = 'MODEL') =>
  Promise.all(searches.map((queries) => keys(index, source, ...queries)));

test('searches of all kinds that come together find what each must find', async () => {
  for (let round = 0; round < 40; round++) {
    const searches = Array.from({ length: 1 + random(20) }, randomSearch);
    expect(await ask(searches), JSON.stringify(searches, bigintText)).toEqual(
      searches.map((queries) => queries.flatMap(expected)),
    );
  }
});

function bigintText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** Persons of whom all have a term, and each has one of its own. */
const crowd = Array.from({ length: 3000 }, (_, n) => {
  const key = `p${String(n).padStart(4, '0')}`;
  const text = `person: ${key}\n`.padEnd(4000, 'x');
  const terms = ['mnt-by=busy-mnt', `nic-hdl=${key}`, `tenth=${Math.floor(n / 300)}`, `small=${Math.floor(n / 80)}`];
  return document({ source: 'CROWD', type: 'person', key, text, terms });
});
const persons = (...anyOf: string[][]): TypeQuery[] => [{ kind: 'terms', type: 'person', anyOf, order: 'key' }];
const handle = (n: number) => persons([`nic-hdl=${crowd[n]!.key}`]);
const withTerm = (term: string) => crowd.filter(({ terms }) => terms.includes(term)).map(({ key }) => key);

test.each(['tenth=3', 'mnt-by=busy-mnt'])('a search with many matches (%s) beside quick ones', async (term) => {
  // Several times: what it remembers of earlier ones changes nothing.
  for (const _ of [1, 2, 3]) {
    const found = await ask([handle(7), persons([term]), handle(9)], 'CROWD');
    expect(found).toEqual([[crowd[7]!.key], withTerm(term), [crowd[9]!.key]]);
  }
});

test('a term that the statistics call common is read in no statement that others share', async () => {
  await admin.query(`do $$ declare name text; begin
    for name in select 'document_' || generation from format_index where source = 'CROWD' loop
      execute 'analyze ' || name;
    end loop; end $$`);
  const fresh = createPostgresIndex({ url: database.url, connections });
  try {
    const searches = [
      handle(1),
      persons(['mnt-by=busy-mnt']),
      persons(['mnt-by=busy-mnt', 'nic-hdl=p0003']),
      handle(4),
    ];
    const found: Promise<string[]>[] = [];
    const sent = await statementsDuring(async () => {
      found.push(...searches.map((queries) => keys(fresh, 'CROWD', ...queries)));
      await Promise.all(found);
    });
    expect(await Promise.all(found)).toEqual([['p0001'], withTerm('mnt-by=busy-mnt'), ['p0003'], ['p0004']]);
    const shared = sent.filter(({ text }) => text.includes('jsonb_to_recordset'));
    const alone = sent.filter(({ text }) => /d\.terms @> array\[.* limit 100\)/s.test(text));
    expect([shared.length, alone.length]).toEqual([1, 1]);
  } finally {
    await fresh.stop();
  }
});

test('a search that runs alone compares terms as they stand, whatever their characters', async () => {
  const strange = `word=o'b\\"{,}$1 \u00e9`;
  const terms = [strange, ...words.map((word) => `word=${word}`)];
  const one = document({ source: 'STRANGE', type: 'role', key: 'strange', terms });
  await fill(index, 'STRANGE', [
    one,
    document({ source: 'STRANGE', type: 'role', key: 'other', terms: terms.slice(1) }),
  ]);
  const find = (term: string) => {
    const anyOf = words.map((word) => [term, `word=${word}`]);
    return keys(index, 'STRANGE', { kind: 'terms', type: 'role', anyOf, order: 'key' });
  };
  const sent = await statementsDuring(async () => expect(await find(strange)).toEqual(['strange']));
  expect(sent.filter(({ text }) => text.includes('jsonb_to_recordset'))).toEqual([]);
  expect(await find(`${strange}'`)).toEqual([]);
});

test('texts of searches that come together stay within 1 MiB; further ones are read alone', async () => {
  const numbers = Array.from({ length: 12 }, (_, n) => n);
  const texts = async (n: number) => {
    const matches = await index.query('CROWD', persons([`small=${n}`]), new AbortController().signal);
    const found: string[] = [];
    for await (const page of matches!.pages) found.push(...page.map(({ text }) => text));
    return found;
  };
  let found: string[][] = [];
  const largest = await largestReadDuring(async () => {
    found = await Promise.all(numbers.map(texts));
  });
  expect(found).toEqual(numbers.map((n) => crowd.slice(n * 80, n * 80 + 80).map(({ text }) => text)));
  expect(largest).toBeLessThan(1.2 * 1024 * 1024);
});

test('a search that fails lets the others of its turn succeed', async () => {
  const failing = handle(3).map((query) => ({ ...query, onlyIf: [{ type: 'mntner', key: '\0' } as const] }));
  const searches = [handle(1), failing, handle(2)];
  const found = await Promise.allSettled(searches.map((queries) => keys(index, 'CROWD', ...queries)));
  expect(found.map((one) => (one.status === 'fulfilled' ? one.value : one.status))).toEqual([
    ['p0001'],
    'rejected',
    ['p0002'],
  ]);
});

describe('while a statement waits for a lock', () => {
  const waiting = async () => {
    const { rows } = await admin.query<{ count: string }>(
      `select count(*) from pg_stat_activity
       where datname = current_database() and application_name = 'cadastre search' and wait_event_type = 'Lock'`,
    );
    return Number(rows[0]!.count);
  };
  const locked = async (work: () => Promise<void>) => {
    const { rows } = await admin.query("select generation from format_index where source = 'CROWD'");
    await admin.query('begin');
    await admin.query(`lock table document_${rows[0]!.generation} in access exclusive mode`);
    await work().finally(() => admin.query('rollback'));
  };
  const search = async (n: number, signal: AbortSignal) => {
    const found: string[] = [];
    const matches = await index.query('CROWD', handle(n), signal);
    for await (const page of matches!.pages) found.push(...page.map(({ key }) => key));
    return found;
  };
  const patient = { timeout: 20_000 };

  test('a client that leaves does not end the search of another one', async () => {
    const leaving = new AbortController();
    let stays: Promise<string[]> | undefined;
    await locked(async () => {
      const leaves = search(5, leaving.signal);
      stays = search(6, new AbortController().signal);
      await expect.poll(waiting, patient).toBe(1);
      leaving.abort();
      await expect(leaves).rejects.toThrow();
    });
    expect(await stays).toEqual(['p0006']);
  });

  test('the statement ends when all clients have left', async () => {
    const leaving = [new AbortController(), new AbortController()];
    await locked(async () => {
      const left = leaving.map(({ signal }, n) => search(n, signal));
      await expect.poll(waiting, patient).toBe(1);
      for (const one of leaving) one.abort();
      expect((await Promise.allSettled(left)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      await expect.poll(waiting, patient).toBe(0);
    });
    expect(await ask([handle(8)], 'CROWD')).toEqual([['p0008']]);
  });
});
