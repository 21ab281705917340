import { setTimeout as delay } from 'node:timers/promises';
import { LookupStatus, type Moment } from '@cadastre/proto/objects';
import { type SearchRequest, type SearchResponse, SearchServiceService } from '@cadastre/proto/search';
import { policy } from '@cadastre/rpsl/testing';
import { connect, createAnswerMemory, createMetrics, createRpcServer, createTurns, implement } from '@cadastre/service';
import { inMemoryClient, testLogger } from '@cadastre/service/testing';
import { afterEach, expect, inject, test } from 'vitest';
import type { Context } from '../src/context.js';
import type { IndexedObject, QueryPosition, SearchIndex } from '../src/index-port.js';
import type { Indexer } from '../src/indexer/indexer.js';
import { firstPageMetrics } from '../src/metrics.js';
import { searchHandlers } from '../src/rpc/index.js';
import { createLargePages } from '../src/run/large-pages.js';
import { collect, noRequest } from './searching.js';

const places = 3;
const asOf: Moment = { point: { $case: 'serial', value: 7n } };
const past = { query: 'LARGE-MNT', types: ['mntner'], flags: ['r'], asOf };
const present = { ...past, query: 'SMALL-MNT', asOf: undefined };
/** Twenty pages of one object. */
const stream = { ...present, query: 'A-MNT', inverseAttributes: ['mnt-by'] };
const streamed = Array.from({ length: 20 }, (_, n) => `LARGE${String(n).padStart(2, '0')}-MNT`);

function textOf(key: string): string {
  const lines = key === 'SMALL-MNT' ? 1 : 18_000;
  return `mntner: ${key}\n${`remarks: ${'x'.repeat(40)}\n`.repeat(lines)}mnt-by: A-MNT\nsource: TEST\n`;
}

let stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  stops = [];
});

/** The service over an index and a past that the test makes. `made` is called when a page of the past was read. */
function serviceOf(made: () => Promise<void> = async () => {}) {
  const stored = (key: string): IndexedObject => ({
    ...{ source: 'TEST', type: 'mntner', key: key.toLowerCase(), text: textOf(key) },
    ...{ revision: 1, serial: 1n, modified: new Date(), tags: [] },
  });
  const index = {
    query: async (_source: string, [{ anyOf, from }]: [{ anyOf: string[][]; from?: QueryPosition }]) => {
      const [name, value = ''] = anyOf[0]![0]!.split('=');
      const keys = name === 'key' ? [value.toUpperCase()] : streamed;
      const pages = async function* () {
        for (const key of keys) if (from === undefined || key.toLowerCase() >= from.key) yield [stored(key)];
      };
      return { serial: 1n, pages: pages() };
    },
    known: async (ids: readonly unknown[]) => ids.map(() => false),
    load: async () => ({ objects: [], later: [] }),
    nearestWith: async (...[, , , ranges]: [string, string, string, readonly unknown[]]) => ranges.map(() => undefined),
    position: async () => ({ serial: 1n, reached: new Date() }),
  } as unknown as SearchIndex;
  const unused = () => Promise.reject(new Error('not used'));
  const context: Context = {
    ...{ sources: { main: 'TEST', mirrors: [] }, index, reads: index, indexer: {} as Indexer },
    turns: createTurns(8),
    largePages: createLargePages(createTurns(places, 1)),
    untakenPages: createAnswerMemory({ maxBytes: 16e6, maxBytesPerClient: 4e6 }),
    readPast: {
      ...{ batchFindEnclosing: unused, findPast: unused },
      batchLookupPast: async ({ lookups }) => {
        const answers = [];
        for (const { key } of lookups!) {
          const text = textOf(key!.key!.toUpperCase());
          const object = { source: 'TEST', type: 'mntner', key: key!.key!, text, revision: 1, serial: 1n };
          answers.push({
            ...{ status: LookupStatus.LOOKUP_STATUS_FOUND, serial: 7n, redirect: '' },
            object: { ...object, contacts: [], tags: [] },
          });
          await made();
        }
        return { answers } as never;
      },
    },
    annotators: { describeHolders: async () => [], checkRoute: () => [], operators: new Set() },
    registry: { objects: { batchFindEnclosing: unused, batchLookup: unused }, policy },
    validateRoute: () => undefined,
    findConflict: () => undefined,
    showRoute: () => 'plain',
    routePolicy: () => 'show',
    countFirstPage: firstPageMetrics(createMetrics('search')),
  };
  return searchHandlers(context);
}

/** A client over a socket. */
async function connected(handlers: ReturnType<typeof searchHandlers>) {
  const server = createRpcServer({
    ...{ name: 'search', logger: testLogger(), metrics: createMetrics('search'), address: '127.0.0.1:0' },
    implementations: [implement(SearchServiceService, handlers)],
  });
  const { address } = await server.start();
  stops.push(() => server.stop(100));
  const client = connect(SearchServiceService, { address, deadlineMs: 170_000 });
  stops.push(() => client.close());
  return client;
}

const keysOf = (pages: readonly SearchResponse[]) =>
  pages.flatMap(({ objects }) => objects.map(({ object }) => object!.key));

const firstPageOf = (request: Partial<SearchRequest>) => ({ search: { ...noRequest, ...request } });

test('few pages of the past exist at a time, and a search of the present waits for none of them', async () => {
  let made = 0;
  let taken = 0;
  let largest = 0;
  const allBegun = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const client = inMemoryClient(
    SearchServiceService,
    serviceOf(async () => {
      made++;
      largest = Math.max(largest, made - taken);
      if (made === places) allBegun.resolve();
      await allBegun.promise;
      // Until the search of the present has its response, later pages occupy all places.
      if (made > places) await answered.promise;
      await delay(1);
    }),
  );
  const clients = Array.from({ length: inject('counts').pastReaders }, (_, n) => n);
  const whenDone = Promise.all(
    clients.map(async (n) => {
      const read = async () => {
        const { page } = await client.searchFirstPage(firstPageOf({ ...past, client: `client ${n}` }));
        taken++;
        return page!.objects[0]!.object!.text.length;
      };
      return Promise.all([read(), read(), read(), read(), read()]);
    }),
  );
  await expect.poll(() => made).toBeGreaterThan(places);
  const { page } = await client.searchFirstPage(firstPageOf({ ...present, client: 'another' }));
  answered.resolve();
  expect(page!.objects).toHaveLength(1);
  expect(taken).toBeLessThan(5 * clients.length);
  const texts = (await whenDone).flat();
  expect(texts).toHaveLength(5 * clients.length);
  expect(Math.min(...texts)).toBeGreaterThan(800_000);
  expect(largest).toBe(places);
}, 180_000);

test('a client that leaves frees its place, also while it waits for one', async () => {
  let isHeld = true;
  let made = 0;
  const client = await connected(
    serviceOf(async () => {
      made++;
      while (isHeld) await delay(5);
    }),
  );
  const leaving = new AbortController();
  const left = [0, 1, 2, 3, 4, 5].map((n) =>
    client.searchFirstPage(firstPageOf({ ...past, client: `client ${n}` }), { signal: leaving.signal }),
  );
  await expect.poll(() => made).toBe(places);
  leaving.abort();
  await Promise.allSettled(left);
  isHeld = false;
  const { page } = await client.searchFirstPage(firstPageOf({ ...past, client: 'another' }));
  expect(page!.objects).toHaveLength(1);
});

test('readers that stop delay no others, and their results continue when they read again', async () => {
  const client = await connected(serviceOf());
  const readers = Array.from({ length: 2 * places }, (_, n) =>
    client.search({ ...noRequest, ...stream, client: `reader ${n}` })[Symbol.asyncIterator](),
  );
  for (const one of readers) await one.next();
  await delay(200);
  const others = await collect(client.search({ ...noRequest, ...stream, client: 'another' }));
  expect(keysOf(others)).toEqual(streamed);
  for (const one of readers) {
    const rest = await collect({ [Symbol.asyncIterator]: () => one });
    expect(keysOf(rest)).toEqual(streamed.slice(1));
  }
}, 180_000);

test('whoever reads, stops or leaves: every call ends', async () => {
  let state = 4711;
  const random = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const client = await connected(serviceOf(() => delay(random(8))));
  const calls = Array.from({ length: inject('counts').pageCalls }, async () => {
    const request = [past, present, stream][random(3)]!;
    const leaveAfterMs = random(3) === 0 ? random(300) : undefined;
    const pauseMs = random(4) === 0 ? random(60) : 0;
    const isFirstPage = random(2) === 0;
    const [name, count, startMs] = [`client ${random(12)}`, 1 + random(4), random(150)];
    await delay(startMs);
    const options = leaveAfterMs === undefined ? {} : { signal: AbortSignal.timeout(leaveAfterMs) };
    const requested = { ...noRequest, ...request, client: name };
    if (isFirstPage) {
      await Promise.all(Array.from({ length: count }, () => client.searchFirstPage({ search: requested }, options)));
      return;
    }
    for await (const _ of client.search(requested, options)) if (pauseMs > 0) await delay(pauseMs);
  });
  const outcomes = await Promise.allSettled(calls);
  const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.kind] : []));
  expect(new Set(failures)).toEqual(new Set(['cancelled']));
  // All places are free again.
  const last = [0, 1, 2].map((n) => client.searchFirstPage(firstPageOf({ ...past, client: `last ${n}` })));
  expect(await Promise.all(last)).toHaveLength(3);
}, 180_000);
