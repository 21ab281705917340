import type { SearchRequest, SearchResponse, SearchServiceService } from '@cadastre/proto/search';
import { type Call, type ClientTurns, type Handlers, type MemoryShare, pause, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { maximalBytes, maximalPage } from '../index-port.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import { type SearchPage, searchPages } from './search-pages.js';
import { clientOf, turnsOf } from './turns.js';

/** A stream releases its slot after this time, so that others get their turns; then it continues. */
const slotMs = 500;
/** A stream whose reader has not read a page after this time releases its slot. */
const readerMs = 20;
/** How long a stream waits for memory before a retry. */
const retryMs = 100;

/**
 * Runs a query and streams its result in pages of at most 100 objects and 1 MiB, at the pace of the reader. Makes the
 * pages in a slot for large pages. Without a slot a stream holds only its cursor, and the page that its reader has
 * not read.
 */
export function search(context: Context): Handlers<typeof SearchServiceService>['search'] {
  return async function* (request, call) {
    if (request.contains !== undefined)
      throw new ServiceError('invalid', 'A search with a filter has a first page only');
    const turns = turnsOf(context, request, call);
    let cursor: Buffer | undefined = yield* smallPages(context, request, call, turns);
    while (cursor !== undefined) cursor = yield* pagesInSlot(context, { ...request, cursor }, call, turns);
  };
}

/**
 * The pages of a result while it is small: a result whose first page ended early, because a read was slow, does not
 * wait for large ones. Returns where the result continues, if it does.
 */
async function* smallPages(
  context: Context,
  request: SearchRequest,
  call: Call,
  turns: ClientTurns,
): AsyncGenerator<SearchResponse, Buffer | undefined> {
  let cursor: Buffer | undefined = request.cursor;
  if (request.asOf !== undefined || !isShort(request)) return cursor;
  for await (const page of await searchPages(context, request, call, turns, 'small')) {
    if (page === 'large') return cursor;
    const after = page.rest();
    cursor = after && encodeCursor(after);
    yield { ...page.response, processingMs: turns.takeSpentMs() };
  }
  return undefined;
}

/** Whether a result continues after less than a page. */
function isShort({ cursor }: SearchRequest): boolean {
  const from = decodeCursor(cursor, Number.POSITIVE_INFINITY);
  return from !== undefined && from.seen < maximalPage;
}

/** The pages that are made in one slot. Returns where the result continues, if it does. */
async function* pagesInSlot(
  context: Context,
  request: SearchRequest,
  call: Call,
  turns: ClientTurns,
): AsyncGenerator<SearchResponse, Buffer | undefined> {
  const client = clientOf(request, call);
  const pages = (await searchPages(context, request, call, turns))[Symbol.asyncIterator]();
  let share = await roomForPage(context, client, call.signal);
  let hasSlot = false;
  let leave = () => {};
  const stop = () => {
    hasSlot = false;
    void pages.return?.().catch(() => {});
    leave();
  };
  try {
    leave = await context.largePages.take(client, call.signal);
    hasSlot = true;
    for (const began = performance.now(); ; ) {
      const { response, characters, cursor } = contentsOf(await pages.next());
      if (response === undefined) return undefined;
      // Not more than before, so there is room for it.
      share.release();
      share = context.untakenPages.take(client, Math.min(characters, maximalBytes));
      const timer = setTimeout(stop, readerMs);
      try {
        yield { ...response, processingMs: turns.takeSpentMs() };
      } finally {
        clearTimeout(timer);
      }
      share.release();
      if (cursor === undefined || !hasSlot || performance.now() - began > slotMs) return cursor;
      // A stream that has a slot does not wait for memory.
      const more = roomNow(context, client);
      if (more === undefined) return cursor;
      share = more;
    }
  } finally {
    share.release();
    stop();
  }
}

/** The needed parts of a page, so that the rest does not remain in memory. */
function contentsOf({ done, value }: IteratorResult<SearchPage | 'large'>) {
  if (done) return { response: undefined, characters: 0, cursor: undefined };
  const { response, characters, rest } = value as SearchPage;
  const after = rest();
  return { response, characters, cursor: after && encodeCursor(after) };
}

/** Waits for memory of a page, at most until the call ends: readers that leave release memory. */
async function roomForPage(context: Context, client: string, signal: AbortSignal): Promise<MemoryShare> {
  for (;;) {
    const share = roomNow(context, client);
    if (share !== undefined) return share;
    await pause(retryMs, signal);
    signal.throwIfAborted();
  }
}

function roomNow({ untakenPages }: Context, client: string): MemoryShare | undefined {
  try {
    return untakenPages.take(client, maximalBytes);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
