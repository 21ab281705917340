import type { SearchAnswer, SearchRequest, SearchResponse, SearchServiceService } from '@cadastre/proto/search';
import {
  type CallOptions,
  createCallPace,
  errorOfFailure,
  isUnimplemented,
  type RpcClient,
  ServiceError,
  withRetry,
} from '@cadastre/service';

/** Starts a search and waits for its first page, because until then it can fail as a whole. Throws a ServiceError. */
export type OpenSearch = (request: Omit<SearchRequest, 'cursor'>, call: SearchCall) => Promise<OpenResult>;

/** The request that a search serves. */
interface SearchCall {
  /** Ends the search, and later the reading of its pages. */
  readonly signal: AbortSignal;
  readonly requestId: string;
  /** Called with the milliseconds for which the reads of each page have run, those of a failed search too. */
  readonly onProcessing?: (ms: number) => void;
}

/** A search result whose first page has arrived. */
export interface OpenResult {
  readonly first: SearchResponse;
  /** The pages after the first, requested as they are read; undefined when the first is the whole result. */
  readonly rest: AsyncIterable<SearchResponse> | undefined;
  /** What to ask for the objects after the limit; undefined when there are none, or none can be known of. */
  readonly next: Pick<SearchRequest, 'start' | 'offset'> | undefined;
}

/** Bounds of searches. */
export interface SearchBounds {
  /** Searches per call. A request line bounds the bytes of each, and the search service those of its page. */
  readonly size: number;
  /** Longest wait for the first page. */
  readonly firstPageMs: number;
  /** Longest time for the whole search. */
  readonly wholeMs: number;
}

interface Waiting {
  readonly request: SearchRequest;
  readonly requestId: string;
  readonly resolve: (answer: SearchAnswer) => void;
  readonly reject: (error: unknown) => void;
  /** The client has left. */
  gone: boolean;
  /** Called when the client leaves. */
  onGone: () => void;
}

type Client = Pick<RpcClient<typeof SearchServiceService>, 'search' | 'batchSearch'>;

const fromStart = Buffer.alloc(0);

/**
 * Sends the searches of one event-loop turn in one BatchSearch, and those that gather while calls are young, because a
 * call costs more than a search. Each is answered as soon as its own page is there (ADR 0024). A client that leaves ends
 * its search when nobody else waits for the call.
 */
export function createSearchBatcher(client: Client, { size, firstPageMs, wholeMs }: SearchBounds): OpenSearch {
  let waiting: Waiting[] = [];
  let isScheduled = false;
  const sendAll = () => {
    isScheduled = false;
    waiting = waiting.filter(({ gone }) => !gone);
    while (waiting.length > 0 && pace.mayCall(waiting.length)) void sendSome(waiting.splice(0, size));
  };
  const pace = createCallPace(sendAll);
  const sendSome = async (batch: readonly Waiting[]) => {
    const ended = pace.begin();
    await send(client, batch, firstPageMs);
    ended();
    if (waiting.length > 0) sendAll();
  };
  const ask = (request: SearchRequest, { signal, requestId }: SearchCall) =>
    new Promise<SearchAnswer>((resolve, reject) => {
      signal.throwIfAborted();
      // A signal may live as long as a connection, and serve many searches.
      const ended = () => signal.removeEventListener('abort', leave);
      const one: Waiting = {
        ...{ request, requestId, gone: false, onGone() {} },
        resolve(answer) {
          ended();
          resolve(answer);
        },
        reject(error) {
          ended();
          reject(error);
        },
      };
      const leave = () => {
        one.gone = true;
        one.reject(signal.reason);
        one.onGone();
      };
      signal.addEventListener('abort', leave);
      waiting.push(one);
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(sendAll);
    });
  return async (request, { signal, requestId, onProcessing }) => {
    const options = { deadlineMs: wholeMs, signal, requestId };
    const first = { ...request, cursor: fromStart };
    const answer = await ask(first, { signal, requestId }).catch((error) => {
      if (!isUnimplemented(error)) throw error;
      return undefined;
    });
    if (answer === undefined) return withoutBatches(client, first, options, firstPageMs);
    const { page, cursor, failure, processingMs = 0 } = answer;
    onProcessing?.(processingMs);
    if (failure !== undefined) throw errorOfFailure(failure);
    if (page === undefined) throw withoutAnswer();
    const rest = cursor.length === 0 ? undefined : restOf(client, { ...request, cursor }, options, page, onProcessing);
    return { first: page, rest, next: nextOf(request, page, answer) };
  };
}

/** Where a limit ends that the first page does not reach is not known: the next search skips what this one will read. */
function nextOf(
  { limit }: Pick<SearchRequest, 'limit'>,
  { objects }: SearchResponse,
  { next, cursor }: SearchAnswer,
): OpenResult['next'] {
  if (next !== undefined && next.length > 0) return { start: next, offset: 0 };
  if (cursor.length === 0 || limit === undefined) return undefined;
  return { start: cursor, offset: limit - objects.length };
}

/**
 * The first page by a stream of its own; the rest by another one, if it is read. Release 0.2 of the search service has no
 * batches, and begins every result at its start; both run side by side during an upgrade.
 */
async function withoutBatches(
  client: Client,
  request: SearchRequest,
  options: CallOptions,
  firstPageMs: number,
): Promise<OpenResult> {
  if (request.start !== undefined) throw cannotContinue();
  for await (const first of client.search(request, { ...options, deadlineMs: firstPageMs })) {
    return { first, rest: restOf(client, request, options, first), next: undefined };
  }
  throw withoutAnswer();
}

/** The pages after the first, which are asked for when they are read. Skips the first page when the stream has it. */
async function* restOf(
  client: Client,
  request: SearchRequest,
  options: CallOptions,
  first: SearchResponse,
  onProcessing?: SearchCall['onProcessing'],
): AsyncGenerator<SearchResponse> {
  let skipped: number | undefined;
  for await (const page of client.search(request, options)) {
    onProcessing?.(page.processingMs ?? 0);
    skipped ??= isContinued(request, page) ? 0 : first.objects.length;
    if (skipped === 0) {
      yield page;
      continue;
    }
    if (request.start !== undefined) throw cannotContinue();
    const objects = page.objects.slice(skipped);
    if (objects.length > 0) yield { ...page, objects, messages: [] };
    skipped -= page.objects.length - objects.length;
  }
}

/** Whether the page continues a result at the cursor. Release 0.2 ignores the cursor, and that the result is brief. */
function isContinued({ cursor, brief = false }: SearchRequest, { contacts }: SearchResponse): boolean {
  return cursor.length > 0 && (!brief || contacts !== undefined);
}

/**
 * Answers every search of the batch, also when the call fails. While the search service or what it needs is unavailable,
 * it asks again for what is unanswered.
 */
async function send(client: Client, batch: readonly Waiting[], deadlineMs: number): Promise<void> {
  const unanswered = new Set(batch);
  const ended = new AbortController();
  const endIfUnwanted = () => {
    for (const { gone } of unanswered) if (!gone) return;
    if (unanswered.size > 0) ended.abort();
  };
  for (const one of batch) one.onGone = endIfUnwanted;
  const ask = async (options: CallOptions) => {
    const asked = [...unanswered];
    const searches = asked.map(({ request, requestId }) => ({ request, requestId }));
    let unavailable: ServiceError | undefined;
    for await (const { answers } of client.batchSearch({ searches }, options)) {
      for (const answer of answers) {
        const one = asked[answer.position]!;
        const error = answer.failure && errorOfFailure(answer.failure);
        if (error?.kind === 'unavailable') {
          unavailable = error;
          continue;
        }
        unanswered.delete(one);
        one.resolve(answer);
      }
      endIfUnwanted();
    }
    if (unavailable) throw unavailable;
  };
  try {
    await withRetry({ signal: ended.signal, requestId: batch[0]!.requestId }, deadlineMs, ask);
    for (const { reject } of unanswered) reject(withoutAnswer());
  } catch (error) {
    for (const { reject } of unanswered) reject(error);
  }
}

function cannotContinue(): ServiceError {
  return new ServiceError('unavailable', 'Service temporarily unavailable');
}

function withoutAnswer(): ServiceError {
  return new ServiceError('internal', 'A search ended without an answer');
}
