import { setMaxListeners } from 'node:events';
import { setImmediate as turnEnd } from 'node:timers/promises';
import {
  type BatchedSearch,
  type BatchSearchResponse,
  type PageContacts,
  type SearchAnswer,
  type SearchRequest,
  SearchServiceService,
} from '@cadastre/proto/search';
import { type Call, type ClientTurns, failureOf, type Handlers, reportFailure, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { maximalBytes, maximalPage } from '../index-port.js';
import { LargeSearchError } from '../run/small-reads.js';
import { encodeCursor } from './cursor.js';
import { clientOf, type SearchPage, searchPages, turnsOf } from './search-pages.js';

/** Maximum number of searches in a batch. */
const maxSearches = 100;

/** How long an answer that has room for more objects waits for the next page of its result. */
const patienceMs = 20;

/** An answer, and the characters of the texts of its objects. */
interface Answered {
  readonly answer: Omit<SearchAnswer, 'position'>;
  readonly characters: number;
}

/** An answer that may have a place for a large page: call `leave` when the answer is gone. */
interface Placed extends Answered {
  leave(): void;
}

/** Answers each search of a batch with its first page, as soon as it is known. */
export function batchSearch(context: Context): Handlers<typeof SearchServiceService>['batchSearch'] {
  return async function* ({ searches }, call) {
    if (searches.length > maxSearches) throw new ServiceError('invalid', `At most ${maxSearches} searches in one call`);
    setMaxListeners(0, call.signal);
    yield* byTurn(searches.map((search) => answerOf(context, search, call)));
  };
}

const noCursor = Buffer.alloc(0);

/** Never rejects. */
async function answerOf(context: Context, { request, requestId }: BatchedSearch, batch: Call): Promise<Placed> {
  const call: Call = {
    ...{ requestId, signal: batch.signal, deadline: batch.deadline, caller: batch.caller },
    get logger() {
      return batch.logger.child({ requestId });
    },
  };
  const turns = request && turnsOf(context, request, call);
  const processingMs = () => Math.round(turns?.takeSpentMs() ?? 0);
  try {
    if (request === undefined || turns === undefined || request.cursor.length > 0)
      throw new ServiceError('invalid', 'A batch has no cursors');
    const { answer, characters, leave } = await smallOrPlaced(context, request, call, turns);
    context.countBatched('ok');
    return { answer: { ...answer, processingMs: processingMs() }, characters, leave };
  } catch (thrown) {
    context.countBatched(reportFailure(SearchServiceService.batchSearch.path, call, thrown));
    const answer = { cursor: noCursor, failure: failureOf(thrown), processingMs: processingMs() };
    return { answer, characters: 0, leave: noPlace };
  }
}

const noPlace = () => {};

/**
 * The first page. One of the past waits for a place, and so does one that turns out to be large, which is read again:
 * while it waits it holds nothing. While reads wait for others, that costs these too much: then all searches of a client
 * whose searches are large wait for a place.
 */
async function smallOrPlaced(
  context: Context,
  request: SearchRequest,
  call: Call,
  turns: ClientTurns,
): Promise<Placed> {
  const client = clientOf(request, call);
  const isExpectedLarge = context.turns.isBusy() && context.largeClients.has(client);
  if (request.asOf === undefined && !isExpectedLarge) {
    try {
      const pages = await searchPages(context, request, call, turns, 'small');
      return { ...(await firstPage(pages)), leave: noPlace };
    } catch (thrown) {
      if (!(thrown instanceof LargeSearchError)) throw thrown;
      context.largeClients.note(client);
    }
  }
  const pages = await searchPages(context, request, call, turns);
  const leave = await context.pagePlaces.take(client, call.signal);
  try {
    return { ...(await firstPage(pages)), leave };
  } catch (thrown) {
    leave();
    throw thrown;
  }
}

/**
 * The first page, joined with those that follow at once. A read that takes longer is left to end by itself, and the
 * answer has a cursor.
 */
async function firstPage(result: AsyncIterable<SearchPage>): Promise<Answered> {
  const pages = result[Symbol.asyncIterator]();
  const { value: first } = (await pages.next()) as IteratorYieldResult<SearchPage>;
  let { response: page, characters } = first;
  let rest = first.rest();
  let last = first;
  while (rest !== undefined && page.objects.length < maximalPage && characters < maximalBytes) {
    const step = await unlessSlow(pages.next().catch(unlessLarge));
    if (step === undefined) break;
    if (step.done) {
      rest = undefined;
      break;
    }
    const { response: next, characters: more } = step.value;
    if (page.objects.length + next.objects.length > maximalPage || characters + more > maximalBytes) break;
    page = {
      ...page,
      objects: [...page.objects, ...next.objects],
      messages: [...page.messages, ...next.messages],
      ...joinedContacts(page.contacts, next.contacts),
    };
    characters += more;
    last = step.value;
    rest = last.rest();
  }
  // Not awaited: a read that is under way would delay the answer.
  void pages.return?.().catch(() => {});
  const after = last.next();
  const cursor = rest === undefined ? noCursor : encodeCursor(rest);
  return { answer: { page, cursor, ...(after && { next: encodeCursor({ seen: 0, after }) }) }, characters };
}

/** Undefined when the pages cannot go on without a place. */
function unlessLarge(thrown: unknown): undefined {
  if (!(thrown instanceof LargeSearchError)) throw thrown;
}

/** A handle that both pages name may be there twice. */
function joinedContacts(page: PageContacts | undefined, next: PageContacts | undefined) {
  if (page === undefined || next === undefined) return undefined;
  const bySource = new Map(page.sources.map((one) => [one.source, one]));
  for (const { source, persons, roles } of next.sources) {
    const known = bySource.get(source) ?? { persons: [], roles: [] };
    bySource.set(source, { source, persons: [...known.persons, ...persons], roles: [...known.roles, ...roles] });
  }
  return { contacts: { sources: [...bySource.values()] } };
}

/** What a promise resolves to; undefined if that takes longer than `patienceMs`. */
function unlessSlow<T>(work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, patienceMs, undefined).unref();
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * The answers as they come, those of one turn of the event loop together, up to about 1 MiB. Their places get free when
 * the caller has taken them.
 */
async function* byTurn(searches: readonly Promise<Placed>[]): AsyncGenerator<BatchSearchResponse> {
  let ready: (Placed & { readonly position: number })[] = [];
  let isOver = false;
  let wake = () => {};
  for (const [position, search] of searches.entries()) {
    void search.then((one) => {
      if (isOver) return one.leave();
      ready.push({ ...one, position });
      wake();
    });
  }
  let group: typeof ready = [];
  try {
    for (let left = searches.length; left > 0; ) {
      if (ready.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      await turnEnd();
      group = ready.splice(0, countWithin(ready));
      left -= group.length;
      yield { answers: group.map(({ position, answer }) => ({ position, ...answer })) };
      for (const { leave } of group) leave();
      group = [];
    }
  } finally {
    isOver = true;
    for (const { leave } of [...group, ...ready]) leave();
    ready = [];
  }
}

/** How many of the first answers fit in one message; at least one. */
function countWithin(ready: readonly Answered[]): number {
  let sum = 0;
  const end = ready.findIndex(({ characters }, at) => {
    sum += characters;
    return at > 0 && sum > maximalBytes;
  });
  return end === -1 ? ready.length : end;
}
