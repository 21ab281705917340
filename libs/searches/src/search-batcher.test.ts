import { setImmediate as turn } from 'node:timers/promises';
import {
  type BatchSearchRequest,
  type BatchSearchResponse,
  type SearchAnswer,
  type SearchRequest,
  type SearchResponse,
  SearchServiceService,
} from '@cadastre/proto/search';
import { type Call, failureMessage, failureOf, type Handlers, ServiceError } from '@cadastre/service';
import { inMemoryClient } from '@cadastre/service/testing';
import { describe, expect, test } from 'vitest';
import { createSearchBatcher, type OpenResult } from './search-batcher.js';

const noRequest: Omit<SearchRequest, 'cursor'> = {
  query: '',
  sources: [],
  types: [],
  inverseAttributes: [],
  flags: [],
  includeTags: [],
  excludeTags: [],
  annotations: undefined,
  offset: 0,
  minSerial: 0n,
  client: '',
};

type Batch = (request: BatchSearchRequest, call: Call) => AsyncIterable<BatchSearchResponse>;
type Stream = Handlers<typeof SearchServiceService>['search'];

const noRest: Stream = () => {
  throw new ServiceError('internal', 'no stream is needed');
};

/** A batcher over handlers of a test, with a signal for each search. */
function batcherOver(batchSearch: Batch, search: Stream = noRest, firstPageMs = 100) {
  const handlers = { batchSearch, search } as Handlers<typeof SearchServiceService>;
  const client = inMemoryClient(SearchServiceService, handlers);
  const open = createSearchBatcher(client, { size: 3, firstPageMs, wholeMs: 10_000 });
  return (query: string, signal = new AbortController().signal) =>
    open({ ...noRequest, query }, { signal, requestId: `of-${query}` });
}

function pageOf(text: string): SearchResponse {
  return { objects: [], flags: [text], messages: [], serial: 0n };
}

function found(position: number, text: string, cursor = ''): SearchAnswer {
  return { position, page: pageOf(text), cursor: Buffer.from(cursor) };
}

const endless = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

test('the searches of one turn share calls of a bounded size, and each gets its own answer', async () => {
  const asked: string[][] = [];
  const search = batcherOver(async function* ({ searches }) {
    asked.push(searches.map(({ request, requestId }) => `${request!.query} ${requestId}`));
    for (const [position, { request }] of [...searches.entries()].toReversed()) {
      yield { answers: [found(position, request!.query)] };
    }
  });
  const results = await Promise.all(['a', 'b', 'c', 'd'].map((query) => search(query)));
  expect(results.map(({ first }) => first.flags)).toEqual([['a'], ['b'], ['c'], ['d']]);
  expect(asked).toEqual([['a of-a', 'b of-b', 'c of-c'], ['d of-d']]);
});

test('searches gather while two calls are young', async () => {
  const asked: string[][] = [];
  const released = Promise.withResolvers<void>();
  const search = batcherOver(async function* ({ searches }) {
    asked.push(searches.map(({ request }) => request!.query));
    if (asked.length <= 2) await released.promise;
    yield { answers: searches.map(({ request }, at) => found(at, request!.query)) };
  });
  const results: Promise<OpenResult>[] = [];
  for (const query of ['a', 'b', 'c', 'd']) {
    results.push(search(query));
    await turn();
  }
  expect(asked.slice(0, 2)).toEqual([['a'], ['b']]);
  released.resolve();
  const flags = (await Promise.all(results)).map(({ first }) => first.flags);
  expect(flags).toEqual([['a'], ['b'], ['c'], ['d']]);
  expect(asked.flat()).toEqual(['a', 'b', 'c', 'd']);
});

test('an answer does not wait for the others, and a failure is that of its own search', async () => {
  const search = batcherOver(async function* (_, { signal }) {
    yield { answers: [found(1, 'fast'), { position: 2, cursor: Buffer.alloc(0), failure: failureOf(refused) }] };
    await endless(signal);
  });
  const refused = new ServiceError('not-found', 'nothing');
  const [slow, fast, failed] = ['a', 'b', 'c'].map((query) => search(query));
  slow!.catch(() => {});
  expect((await fast!).first.flags).toEqual(['fast']);
  await expect(failed).rejects.toMatchObject({ kind: 'not-found', messages: refused.messages });
  await expect(slow).rejects.toMatchObject({ kind: 'timeout' });
});

/** Longer than repetitions take. */
const patient = 10_000;

test('a call that breaks is repeated for the searches without an answer', async () => {
  const asked: string[][] = [];
  const search = batcherOver(
    async function* (request) {
      asked.push(request.searches.map(({ request: one }) => one!.query));
      yield { answers: [found(0, `call ${asked.length}`)] };
      if (asked.length === 1) throw new ServiceError('unavailable', 'away');
    },
    noRest,
    patient,
  );
  const answers = await Promise.all([search('a'), search('b')]);
  expect(answers.map(({ first }) => first.flags)).toEqual([['call 1'], ['call 2']]);
  expect(asked).toEqual([['a', 'b'], ['b']]);
});

test('a search that cannot be answered now is repeated alone, for a second', async () => {
  const asked: string[][] = [];
  const away = failureOf(new ServiceError('unavailable', 'away'));
  const search = batcherOver(
    async function* ({ searches }) {
      asked.push(searches.map(({ request }) => request!.query));
      const isAway = (query: string) => query === 'c' || (query === 'b' && asked.length === 1);
      yield {
        answers: searches.map(({ request }, at) =>
          isAway(request!.query)
            ? { position: at, page: undefined, cursor: Buffer.alloc(0), failure: away }
            : found(at, request!.query),
        ),
      };
    },
    noRest,
    patient,
  );
  const [a, b, c] = await Promise.allSettled(['a', 'b', 'c'].map((query) => search(query)));
  expect([a, b].map((one) => (one as PromiseFulfilledResult<OpenResult>).value.first.flags)).toEqual([['a'], ['b']]);
  expect(c).toMatchObject({ reason: { kind: 'unavailable' } });
  expect(asked.slice(0, 3)).toEqual([['a', 'b', 'c'], ['b', 'c'], ['c']]);
});

test('calls that keep breaking fail the searches without an answer', async () => {
  let calls = 0;
  const search = batcherOver(
    async function* () {
      if (calls++ === 0) yield { answers: [found(0, 'a')] };
      throw new ServiceError('unavailable', 'away');
    },
    noRest,
    patient,
  );
  const [answered, other] = [search('a'), search('b')];
  await expect(other).rejects.toMatchObject({ kind: 'unavailable' });
  expect((await answered).first.flags).toEqual(['a']);
});

test.each<[string, Batch]>([
  ['a call', async function* () {}],
  [
    'an answer',
    async function* () {
      yield { answers: [{ position: 0, cursor: Buffer.alloc(0) }] };
    },
  ],
])('%s without an outcome is a fault', async (_, batch) => {
  await expect(batcherOver(batch)('a')).rejects.toMatchObject({ kind: 'internal' });
});

test('a client that leaves ends its call when nobody else waits for it', async () => {
  const ended = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const search = batcherOver(async function* (_, { signal }) {
    yield { answers: [found(0, 'a')] };
    begun.resolve();
    await endless(signal);
    ended.resolve();
  });
  const leaving = [new AbortController(), new AbortController()];
  const [answered, ...left] = [search('a'), ...leaving.map(({ signal }, at) => search(`b${at}`, signal))];
  await Promise.all([begun.promise, answered]);
  leaving[0]!.abort(new Error('left'));
  await expect(left[0]).rejects.toThrow('left');
  await turn();
  leaving[1]!.abort(new Error('left'));
  await expect(left[1]).rejects.toThrow('left');
  await ended.promise;
});

test('a client that has left before the turn ends asks nothing', async () => {
  let calls = 0;
  const search = batcherOver(async function* ({ searches }) {
    calls++;
    yield { answers: searches.map((_, at) => found(at, 'x')) };
  });
  await expect(search('a', AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
  await turn();
  expect(calls).toBe(0);
});

test('the rest of a result is asked for with its cursor, when it is read', async () => {
  const asked: string[] = [];
  const search = batcherOver(
    async function* () {
      yield { answers: [found(0, 'first', 'cursor')] };
    },
    async function* ({ query, cursor }) {
      asked.push(`${query} ${cursor}`);
      yield pageOf('second');
      yield pageOf('third');
    },
  );
  const { first, rest } = await search('a');
  expect([first.flags, asked]).toEqual([['first'], []]);
  const flags: string[][] = [];
  for await (const page of rest!) flags.push(page.flags);
  expect([flags, asked]).toEqual([[['second'], ['third']], ['a cursor']]);
});

describe('a search service of release 0.2, which has no batches and knows neither cursor nor start,', () => {
  /** Pages of objects with these keys. */
  const pages = (...keys: string[][]): SearchResponse[] =>
    keys.map((some, at) => ({
      objects: some.map((key) => ({
        object: { source: 'TEST', type: 'person', key, text: 'x', revision: 1, serial: 1n, contacts: [], tags: [] },
        related: false,
        managedAttributes: [],
        managedMaintainers: [],
        messages: [],
      })),
      flags: [],
      messages: at === 0 ? [failureMessage('of the head')] : [],
      serial: 0n,
    }));
  /** The same as a result of this release. */
  const brief = (page: SearchResponse): SearchResponse => ({ ...page, contacts: { sources: [] } });
  const all = pages(['a', 'b'], ['c', 'd'], ['e']);

  /** Keys of the objects of a whole result, and the texts of its messages. */
  async function read({ first, rest }: OpenResult) {
    const read = [first];
    for await (const page of rest ?? []) read.push(page);
    return [
      read.flatMap(({ objects }) => objects.map(({ object }) => object!.key)).join(''),
      ...read.flatMap(({ messages }) => messages.map(({ text }) => text)),
    ];
  }

  /** What a search finds when its first page and the rest come from these handlers. */
  function open(handlers: Partial<Handlers<typeof SearchServiceService>>, start?: Buffer) {
    const client = inMemoryClient(SearchServiceService, handlers);
    const search = createSearchBatcher(client, { size: 3, firstPageMs: 1_000, wholeMs: 10_000 });
    const request = { ...noRequest, brief: true, start };
    return search(request, { signal: new AbortController().signal, requestId: 'r' });
  }

  async function* of02() {
    yield* all;
  }
  async function* batch() {
    yield { answers: [{ position: 0, page: brief(all[0]!), cursor: Buffer.from('after b') }] };
  }
  /** Its pages may have other bounds. */
  async function* ofThisRelease({ cursor }: SearchRequest) {
    if (cursor.length > 0) yield* all.slice(1).map((page) => brief({ ...page, messages: [] }));
    else yield* pages(['a'], ['b', 'c'], ['d', 'e']).map(brief);
  }

  test.each<[string, Partial<Handlers<typeof SearchServiceService>>]>([
    ['is asked by streams', { search: of02 }],
    ['sends the first page, and this release the rest', { search: ofThisRelease }],
    ['begins again where this release has sent the first page', { batchSearch: batch, search: of02 }],
    ['is gone', { batchSearch: batch, search: ofThisRelease }],
  ])('%s: no object is missing or repeated', async (_, handlers) => {
    expect(await read(await open(handlers))).toEqual(['abcde', 'of the head']);
  });

  test('cannot continue an earlier result', async () => {
    await expect(open({ search: of02 }, Buffer.from('x'))).rejects.toMatchObject({ kind: 'unavailable' });
    const { rest } = await open({ batchSearch: batch, search: of02 }, Buffer.from('x'));
    await expect(rest![Symbol.asyncIterator]().next()).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
