import {
  type PageContacts,
  type SearchFirstPageResponse,
  type SearchRequest,
  SearchServiceService,
} from '@cadastre/proto/search';
import { type Call, type ClientTurns, failureOf, type Handlers, reportFailure, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { maximalBytes, maximalPage } from '../index-port.js';
import { LargeSearchError } from '../run/small-reads.js';
import { encodeCursor } from './cursor.js';
import { clientOf, type SearchPage, searchPages, turnsOf } from './search-pages.js';

/** How long an answer that has room for more objects waits for the next page of its result. */
const nextPageMs = 20;

const noCursor = Buffer.alloc(0);

type FoundPage = Pick<SearchFirstPageResponse, 'page' | 'cursor' | 'next'>;

/** Runs a query up to its first page. */
export function searchFirstPage(context: Context): Handlers<typeof SearchServiceService>['searchFirstPage'] {
  return async ({ search: request }, call) => {
    if (request === undefined || request.cursor.length > 0) {
      throw new ServiceError('invalid', 'The first page has no cursor');
    }
    const turns = turnsOf(context, request, call);
    const outcome = await smallOrPlaced(context, request, call, turns).then(
      (found) => {
        context.countFirstPage('ok');
        return found;
      },
      (thrown) => {
        context.countFirstPage(reportFailure(SearchServiceService.searchFirstPage.path, call, thrown));
        return { cursor: noCursor, failure: failureOf(thrown) };
      },
    );
    return { ...outcome, processingMs: Math.round(turns.takeSpentMs()) };
  };
}

/**
 * The first page. A search of the past waits for a place, and so does a search that proves to be large, which is read
 * again: while it waits it holds nothing. While reads wait for others, that would cost these too much: then all
 * searches of a client with large searches wait for a place.
 */
async function smallOrPlaced(
  context: Context,
  request: SearchRequest,
  call: Call,
  turns: ClientTurns,
): Promise<FoundPage> {
  const client = clientOf(request, call);
  const isExpectedLarge = context.turns.isBusy() && context.largeClients.has(client);
  if (request.asOf === undefined && !isExpectedLarge) {
    try {
      const pages = await searchPages(context, request, call, turns, 'small');
      return await firstPage(pages);
    } catch (thrown) {
      if (!(thrown instanceof LargeSearchError)) throw thrown;
      context.largeClients.set(client, true);
    }
  }
  const pages = await searchPages(context, request, call, turns);
  // Until the caller has read the page.
  call.onEnd(await context.pagePlaces.take(client, call.signal));
  return firstPage(pages);
}

/**
 * The first page, joined with those that follow immediately. The answer does not wait for a slower read, and has a
 * cursor.
 */
async function firstPage(result: AsyncIterable<SearchPage>): Promise<FoundPage> {
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
  // Not awaited: a read in progress would delay the answer.
  void pages.return?.().catch(() => {});
  const after = last.next();
  const cursor = rest === undefined ? noCursor : encodeCursor(rest);
  return { page, cursor, ...(after && { next: encodeCursor({ seen: 0, after }) }) };
}

/** Undefined when the pages cannot continue without a place. */
function unlessLarge(thrown: unknown): undefined {
  if (!(thrown instanceof LargeSearchError)) throw thrown;
}

/** A handle that both pages name may be in it twice. */
function joinedContacts(page: PageContacts | undefined, next: PageContacts | undefined) {
  if (page === undefined || next === undefined) return undefined;
  const bySource = new Map(page.sources.map((one) => [one.source, one]));
  for (const { source, persons, roles } of next.sources) {
    const known = bySource.get(source) ?? { persons: [], roles: [] };
    bySource.set(source, { source, persons: [...known.persons, ...persons], roles: [...known.roles, ...roles] });
  }
  return { contacts: { sources: [...bySource.values()] } };
}

/** The value of a promise; undefined if that takes longer than `nextPageMs`. */
function unlessSlow<T>(work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, nextPageMs, undefined).unref();
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
