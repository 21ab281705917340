import {
  type PageContacts,
  type SearchFirstPageResponse,
  type SearchRequest,
  SearchServiceService,
} from '@cadastre/proto/search';
import { type Call, type ClientTurns, failureOf, type Handlers, reportFailure, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { maximalBytes, maximalPage } from '../index-port.js';
import { encodeCursor } from './cursor.js';
import { type SearchPage, searchPages } from './search-pages.js';
import { clientOf, turnsOf } from './turns.js';

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
    const outcome = await findPage(context, request, call, turns).then(
      (found) => {
        context.countFirstPage('ok');
        return found;
      },
      (thrown) => {
        context.countFirstPage(reportFailure(SearchServiceService.searchFirstPage.path, call, thrown));
        return { cursor: noCursor, failure: failureOf(thrown) };
      },
    );
    return { ...outcome, processingMs: turns.takeSpentMs() };
  };
}

/**
 * The first page. A search of the past waits for a slot, and so does one with a filter: few of them run at a time. So
 * does a search that proves to be large, which is read again: while it waits it holds nothing. While reads wait for
 * others, that would cost these too much: then all searches of a client with large searches wait for a slot.
 */
async function findPage(context: Context, request: SearchRequest, call: Call, turns: ClientTurns): Promise<FoundPage> {
  const { largePages } = context;
  const client = clientOf(request, call);
  const isExpectedLarge = context.turns.isBusy() && largePages.hasBeenLarge(client);
  if (request.asOf === undefined && request.contains === undefined && !isExpectedLarge) {
    const page = await firstPage(await searchPages(context, request, call, turns, 'small'));
    if (page !== 'large') return page;
    largePages.remember(client);
  }
  const pages = await searchPages(context, request, call, turns);
  // Until the caller has read the page.
  call.onEnd(await largePages.take(client, call.signal));
  return (await firstPage(pages)) as FoundPage;
}

/**
 * The first page, joined with those that follow immediately. The answer does not wait for a slower read, and has a
 * cursor.
 */
async function firstPage(result: AsyncIterable<SearchPage | 'large'>): Promise<FoundPage | 'large'> {
  const pages = result[Symbol.asyncIterator]();
  const { value: first } = (await pages.next()) as IteratorYieldResult<SearchPage | 'large'>;
  if (first === 'large') return first;
  let { response: page, characters } = first;
  let rest = first.rest();
  let last = first;
  while (rest !== undefined && page.objects.length < maximalPage && characters < maximalBytes) {
    const step = await unlessSlow(pages.next());
    if (step?.done) rest = undefined;
    if (step === undefined || step.done || step.value === 'large') break;
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
