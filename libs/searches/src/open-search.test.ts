import {
  type SearchFirstPageResponse,
  type SearchRequest,
  type SearchResponse,
  SearchServiceService,
} from '@cadastre/proto/search';
import { failureOf, type Handlers, ServiceError } from '@cadastre/service';
import { inMemoryClient } from '@cadastre/service/testing';
import { expect, test } from 'vitest';
import { createOpenSearch } from './open-search.js';

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

type SearchHandlers = Handlers<typeof SearchServiceService>;

const noRest: SearchHandlers['search'] = () => {
  throw new ServiceError('internal', 'no stream is needed');
};

/** Searches over handlers of a test. */
function searchOver(searchFirstPage: SearchHandlers['searchFirstPage'], search = noRest, firstPageMs = 10_000) {
  const client = inMemoryClient(SearchServiceService, { searchFirstPage, search });
  const open = createOpenSearch(client, { firstPageMs, wholeMs: 10_000 });
  return (query: string, more: Partial<SearchRequest> = {}, signal = new AbortController().signal) =>
    open({ ...noRequest, query, ...more }, { signal, requestId: `of-${query}`, onProcessing: (ms) => spent.push(ms) });
}

/** Milliseconds of the pages that the current test has read. */
const spent: number[] = [];

function pageOf(text: string): SearchResponse {
  return { objects: [], flags: [text], messages: [], serial: 0n };
}

function found(text: string, cursor = ''): SearchFirstPageResponse {
  return { page: pageOf(text), cursor: Buffer.from(cursor), processingMs: 7 };
}

const failed = (error: ServiceError): SearchFirstPageResponse => ({
  cursor: Buffer.alloc(0),
  failure: failureOf(error),
  processingMs: 9,
});

test('a search has its own answer, and tells what it cost', async () => {
  spent.length = 0;
  const search = searchOver(async ({ search: requested }, call) => found(`${requested!.query} ${call.requestId}`));
  expect(await search('a')).toEqual({ first: pageOf('a of-a'), rest: undefined, next: undefined });
  expect(spent).toEqual([7]);
});

test('a failure is that of the search, and tells what it cost', async () => {
  spent.length = 0;
  const refused = new ServiceError('not-found', 'nothing');
  const search = searchOver(async () => failed(refused));
  await expect(search('a')).rejects.toMatchObject({ kind: 'not-found', messages: refused.messages });
  expect(spent).toEqual([9]);
});

test.each<[string, () => Promise<SearchFirstPageResponse>]>([
  ['in its answer', async () => failed(new ServiceError('unavailable', 'away'))],
  ['as the status of its call', () => Promise.reject(new ServiceError('unavailable', 'away'))],
])('a search that cannot be answered now is repeated for a second: %s', async (_, away) => {
  let calls = 0;
  const search = searchOver(async () => (++calls === 1 ? away() : found('back')));
  expect((await search('a')).first.flags).toEqual(['back']);
  const never = searchOver(away);
  await expect(never('a')).rejects.toMatchObject({ kind: 'unavailable' });
});

test('an answer without an outcome is a fault', async () => {
  await expect(searchOver(async () => ({ cursor: Buffer.alloc(0) }))('a')).rejects.toMatchObject({ kind: 'internal' });
});

test('the first page has a deadline', async () => {
  const search = searchOver(() => new Promise(() => {}), noRest, 100);
  await expect(search('a')).rejects.toMatchObject({ kind: 'timeout' });
});

test('a client that leaves ends its call; one that has left before asks nothing', async () => {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let calls = 0;
  const search = searchOver((_, { signal }) => {
    calls++;
    begun.resolve();
    signal.addEventListener('abort', () => ended.resolve());
    return new Promise(() => {});
  });
  const leaving = new AbortController();
  const left = search('a', {}, leaving.signal);
  await begun.promise;
  leaving.abort();
  await expect(left).rejects.toMatchObject({ kind: 'cancelled' });
  await ended.promise;
  await expect(search('b', {}, AbortSignal.abort())).rejects.toMatchObject({ kind: 'cancelled' });
  expect(calls).toBe(1);
});

test('the rest of a result is asked for with its cursor, when it is read', async () => {
  const requested: string[] = [];
  const search = searchOver(
    async () => found('first', 'cursor'),
    async function* ({ query, cursor }) {
      requested.push(`${query} ${cursor}`);
      yield pageOf('second');
      yield { ...pageOf('third'), processingMs: 3 };
    },
  );
  const { first, rest } = await search('a');
  expect([first.flags, requested]).toEqual([['first'], []]);
  spent.length = 0;
  const flags: string[][] = [];
  for await (const page of rest!) flags.push(page.flags);
  expect([flags, requested, spent]).toEqual([[['second'], ['third']], ['a cursor'], [0, 3]]);
});

test.each<[string, Partial<SearchFirstPageResponse>, number | undefined, unknown]>([
  ['a place', { next: Buffer.from('n') }, 1, { start: Buffer.from('n'), offset: 0 }],
  [
    'a limit that the first page does not reach',
    { cursor: Buffer.from('c') },
    9,
    { start: Buffer.from('c'), offset: 9 },
  ],
  ['no limit', { cursor: Buffer.from('c') }, undefined, undefined],
  ['a whole result', {}, 9, undefined],
])('where another search goes on: %s', async (_, more, limit, next) => {
  const search = searchOver(async () => ({ ...found('a'), ...more }));
  expect((await search('a', limit === undefined ? {} : { limit })).next).toEqual(next);
});
