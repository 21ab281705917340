import { setMaxListeners } from 'node:events';
import { setTimeout as pause, setImmediate as turnEnd } from 'node:timers/promises';
import {
  type BatchedSearch,
  type SearchAnswer,
  type SearchRequest,
  type SearchResponse,
  SearchServiceService,
} from '@cadastre/proto/search';
import { type Call, failureOf, type Handlers, reportFailure, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { maximalBytes, maximalPage } from '../index-port.js';
import { encodeCursor } from './cursor.js';
import { type SearchPage, searchPages } from './search-pages.js';

/** Maximum number of searches in a batch. */
const maxSearches = 100;

/** How long an answer that has room for more objects waits for the next page of its result. */
const patienceMs = 20;

type Answer = Omit<SearchAnswer, 'position'>;

/** Answers each search of a batch with its first page, as soon as it is known. */
export function batchSearch(context: Context): Handlers<typeof SearchServiceService>['batchSearch'] {
  return async function* ({ searches }, call) {
    if (searches.length > maxSearches) throw new ServiceError('invalid', `At most ${maxSearches} searches in one call`);
    setMaxListeners(0, call.signal);
    const answers = searches.map(async (search, position): Promise<SearchAnswer> => {
      return { position, ...(await answerOf(context, search, call)) };
    });
    for await (const group of byTurn(answers)) yield { answers: group };
  };
}

/** Never rejects. */
async function answerOf(context: Context, { request, requestId }: BatchedSearch, batch: Call): Promise<Answer> {
  const call: Call = {
    ...{ requestId, signal: batch.signal, deadline: batch.deadline, caller: batch.caller },
    get logger() {
      return batch.logger.child({ requestId });
    },
  };
  try {
    if (request === undefined || request.cursor.length > 0) throw new ServiceError('invalid', 'A batch has no cursors');
    const answer = await firstPage(context, request, call);
    context.countBatched('ok');
    return answer;
  } catch (thrown) {
    context.countBatched(reportFailure(SearchServiceService.batchSearch.path, call, thrown));
    return { cursor: Buffer.alloc(0), failure: failureOf(thrown) };
  }
}

/**
 * The first page, joined with those that follow at once. A read that takes longer is left to end by itself, and the
 * answer has a cursor.
 */
async function firstPage(context: Context, request: SearchRequest, call: Call): Promise<Answer> {
  const pages = searchPages(context, request, call);
  const { value: first } = (await pages.next()) as IteratorYieldResult<SearchPage>;
  let page = first.response;
  let rest = first.rest();
  while (rest !== undefined && hasRoom(page)) {
    const reading = pages.next();
    const next = await Promise.race([reading, pause(patienceMs, undefined, { ref: false })]);
    if (next === undefined) reading.catch(() => {});
    if (next === undefined || (!next.done && !fit(page, next.value.response))) break;
    page = next.done ? page : joined(page, next.value.response);
    rest = next.done ? undefined : next.value.rest();
  }
  // Not awaited: a read that is under way would delay the answer.
  void pages.return(undefined).catch(() => {});
  return { page, cursor: rest === undefined ? Buffer.alloc(0) : encodeCursor(rest) };
}

function hasRoom({ objects }: SearchResponse): boolean {
  return objects.length < maximalPage && charactersOf(objects) < maximalBytes;
}

function fit(page: SearchResponse, next: SearchResponse): boolean {
  const objects = [...page.objects, ...next.objects];
  return objects.length <= maximalPage && charactersOf(objects) <= maximalBytes;
}

function joined(page: SearchResponse, { objects, messages }: SearchResponse): SearchResponse {
  return { ...page, objects: [...page.objects, ...objects], messages: [...page.messages, ...messages] };
}

function charactersOf(objects: SearchResponse['objects']): number {
  return objects.reduce((sum, { object }) => sum + object!.text.length, 0);
}

/**
 * The results as they come, those of one turn of the event loop together, up to about 1 MiB.
 */
async function* byTurn(answers: readonly Promise<SearchAnswer>[]): AsyncGenerator<SearchAnswer[]> {
  const ready: SearchAnswer[] = [];
  let wake = () => {};
  for (const answer of answers) {
    void answer.then((one) => {
      ready.push(one);
      wake();
    });
  }
  for (let left = answers.length; left > 0; ) {
    if (ready.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    await turnEnd();
    const group = ready.splice(0, countWithin(ready));
    left -= group.length;
    yield group;
  }
}

/** How many of the first answers fit in one message; at least one. */
function countWithin(answers: readonly SearchAnswer[]): number {
  let characters = 0;
  const end = answers.findIndex(({ page }, at) => {
    characters += page === undefined ? 0 : charactersOf(page.objects);
    return at > 0 && characters > maximalBytes;
  });
  return end === -1 ? answers.length : end;
}
