import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { SearchIndex } from '../src/index-port.js';
import { document } from './contract/documents.js';
import { collect, noRequest, type Searching, startSearching } from './searching.js';

const objects = 2_000;
const request = { query: 'ROOT-MNT', inverseAttributes: ['mnt-by'], flags: ['rG'] };

let searching: Searching;

/** Starts with all the objects. */
async function startLong(): Promise<Searching> {
  const started = await startSearching(['mntner: ROOT-MNT\nmnt-by: ROOT-MNT\nsource: TEST\n']);
  for (let i = 1; i < objects; i++) {
    started.registry.put(`mntner: M${String(i).padStart(5, '0')}-MNT\nmnt-by: ROOT-MNT\nsource: TEST\n`);
  }
  await started.indexer.reached('TEST', BigInt(objects), AbortSignal.timeout(170_000));
  return started;
}

/**
 * Lets the reads of large pages continue two by two, however long each of them takes, until `end` is called. The first
 * query of a search reads a small page: it does not wait.
 */
function readInPairs(index: SearchIndex) {
  let first: (() => void) | undefined;
  let isEnded = false;
  const join = async () => {
    if (isEnded) return;
    const other = first;
    first = undefined;
    if (other !== undefined) return other();
    const { promise, resolve } = Promise.withResolvers<void>();
    first = resolve;
    await promise;
  };
  const begun = new WeakSet<AbortSignal>();
  const query = index.query.bind(index);
  vi.spyOn(index, 'query').mockImplementation(async (...question) => {
    const [, , signal] = question;
    const isLarge = begun.has(signal);
    begun.add(signal);
    const matches = await query(...question);
    async function* pages() {
      const read = matches!.pages[Symbol.asyncIterator]();
      for (;;) {
        if (isLarge) await join();
        const { done, value } = await read.next();
        if (done) return;
        yield value;
      }
    }
    return matches && { ...matches, pages: pages() };
  });
  return {
    end: () => {
      isEnded = true;
      first?.();
    },
  };
}

beforeAll(async () => {
  searching = await startLong();
});

afterAll(() => searching?.stop());

test('every object once, in order, at most 100 in a message', async () => {
  const responses = await searching.responses(request);
  expect(Math.max(...responses.map((one) => one.objects.length))).toBeLessThanOrEqual(100);
  const keys = responses.flatMap((one) => one.objects.map((found) => found.object!.key.toLowerCase()));
  expect(keys).toHaveLength(objects);
  expect(keys).toEqual([...new Set(keys)].sort());
});

test('a reader that stops early stops the search', async () => {
  for await (const response of searching.client.search({ ...noRequest, ...request })) {
    expect(response.objects).toHaveLength(100);
    break;
  }
});

test('a client with many searches gets no more pages than one with a single search', async () => {
  const { client: service, index, stop } = await startLong();
  onTestFinished(stop);
  // The clock stands still: on a busy machine a client whose reads happen to take longer gets fewer.
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const pairs = readInPairs(index);
  const pagesOf = { greedy: 0, modest: 0 };
  const read = async (client: keyof typeof pagesOf) => {
    const results = service.search({ ...noRequest, ...request, client }, { deadlineMs: 170_000 });
    for await (const _page of results) pagesOf[client]++;
  };
  const greedy = Array.from({ length: 16 }, () => read('greedy'));
  await read('modest');
  const meanwhile = pagesOf.greedy;
  pairs.end();
  const pages = objects / 100;
  // A stream that continues in another place begins with a page that has one object less.
  expect(pagesOf.modest).toBeGreaterThanOrEqual(pages);
  expect(pagesOf.modest).toBeLessThanOrEqual(1.25 * pages);
  expect(meanwhile).toBeLessThanOrEqual(1.5 * pages);
  await Promise.all(greedy);
  expect(pagesOf.greedy).toBeGreaterThanOrEqual(16 * pages);
});

test('later pages show writes made between them, and repeat nothing', async () => {
  const keys: string[] = [];
  for await (const response of searching.client.search({ ...noRequest, ...request })) {
    keys.push(...response.objects.map((found) => found.object!.key));
    if (keys.length === 100) {
      const serial = searching.registry.remove('mntner', 'M00001-MNT');
      await collect(searching.client.search({ ...noRequest, ...request, limit: 0, minSerial: serial }));
    }
  }
  expect(new Set(keys).size).toBe(objects);
});

test('counts of very many objects end early, and say so', async () => {
  const requested = { query: 'ROOT-MNT', source: '', types: [], inverseAttributes: ['mnt-by'], client: '' };
  const { index } = searching;
  const position = (await index.position('TEST'))!;
  const rebuild = await index.beginRebuild('TEST', position);
  await rebuild.fill([document({ source: 'TEST', type: 'mntner', key: 'root-mnt' })], '0');
  for (let from = 0; from <= 100_000; from += 1_000) {
    const page = Array.from({ length: 1_000 }, (_, n) => {
      return document({ source: 'TEST', type: 'mntner', key: `m${from + n}-mnt`, terms: ['mnt-by=root-mnt'] });
    });
    await rebuild.fill(page, String(from));
  }
  expect(await rebuild.finish(position)).toBe(true);
  const { counts, isPartial } = await searching.client.countObjects(requested);
  expect({ counts, isPartial }).toEqual({ counts: [{ type: 'mntner', objects: 100_000n }], isPartial: true });
});
