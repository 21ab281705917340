import type { SearchAnswer, SearchRequest, SearchResponse, SearchServiceService } from '@cadastre/proto/search';
import { type CallOptions, errorOfFailure, type RpcClient, ServiceError } from '@cadastre/service';

/** Starts a search and waits for its first page, because until then it can fail as a whole. Throws a ServiceError. */
export type OpenSearch = (request: Omit<SearchRequest, 'cursor'>, call: SearchCall) => Promise<OpenResult>;

/** The request that a search serves. */
interface SearchCall {
  /** Ends the search, and later the reading of its pages. */
  readonly signal: AbortSignal;
  readonly requestId: string;
}

/** A search result whose first page has arrived. */
export interface OpenResult {
  readonly first: SearchResponse;
  /** The pages after the first, requested as they are read; undefined when the first is the whole result. */
  readonly rest: AsyncIterable<SearchResponse> | undefined;
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

interface Waiting extends SearchCall {
  readonly request: SearchRequest;
  readonly resolve: (answer: SearchAnswer) => void;
  readonly reject: (error: unknown) => void;
}

type Client = Pick<RpcClient<typeof SearchServiceService>, 'search' | 'batchSearch'>;

const fromStart = Buffer.alloc(0);

/**
 * Sends the searches of one event-loop turn in one BatchSearch, because a call costs more than a search. Each is
 * answered as soon as its own page is there (ADR 0024). A client that leaves ends its search when nobody else waits for
 * the call.
 */
export function createSearchBatcher(client: Client, { size, firstPageMs, wholeMs }: SearchBounds): OpenSearch {
  let waiting: Waiting[] = [];
  const sendAll = () => {
    const all = waiting.filter(({ signal }) => !signal.aborted);
    waiting = [];
    for (let at = 0; at < all.length; at += size) void send(client, all.slice(at, at + size), firstPageMs);
  };
  const ask = (request: Omit<SearchRequest, 'cursor'>, call: SearchCall) =>
    new Promise<SearchAnswer>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(sendAll);
      waiting.push({ ...call, request: { ...request, cursor: fromStart }, resolve, reject });
    });
  return async (request, { signal, requestId }) => {
    const options = { deadlineMs: wholeMs, signal, requestId };
    const answer = await untilAborted(signal, ask(request, { signal, requestId })).catch((error) => {
      if (!isUnimplemented(error)) throw error;
      return undefined;
    });
    if (answer === undefined) return withoutBatches(client, { ...request, cursor: fromStart }, options, firstPageMs);
    const { page, cursor, failure } = answer;
    if (failure !== undefined) throw errorOfFailure(failure);
    if (page === undefined) throw withoutAnswer();
    const readRest = () => client.search({ ...request, cursor }, options)[Symbol.asyncIterator]();
    return { first: page, rest: cursor.length === 0 ? undefined : { [Symbol.asyncIterator]: readRest } };
  };
}

/** Release 0.2 of the search service has no batches; both run side by side during an upgrade. */
function isUnimplemented(error: unknown): boolean {
  return error instanceof ServiceError && error.kind === 'unimplemented';
}

/** The first page by a stream of its own; the rest by another one, if it is read. */
async function withoutBatches(
  client: Client,
  request: SearchRequest,
  options: CallOptions,
  firstPageMs: number,
): Promise<OpenResult> {
  async function* rest() {
    let isFirst = true;
    for await (const page of client.search(request, options)) {
      if (!isFirst) yield page;
      isFirst = false;
    }
  }
  for await (const first of client.search(request, { ...options, deadlineMs: firstPageMs })) {
    return { first, rest: rest() };
  }
  throw withoutAnswer();
}

/** Answers every search of the batch, also when the call fails. */
async function send(client: Client, batch: readonly Waiting[], deadlineMs: number): Promise<void> {
  const unanswered = new Set(batch);
  const ended = new AbortController();
  const leave = () => {
    if (unanswered.size > 0 && [...unanswered].every(({ signal }) => signal.aborted)) ended.abort();
  };
  const settled = (one: Waiting) => {
    one.signal.removeEventListener('abort', leave);
    unanswered.delete(one);
    return one;
  };
  for (const { signal } of batch) signal.addEventListener('abort', leave, { once: true });
  try {
    const searches = batch.map(({ request, requestId }) => ({ request, requestId }));
    const { requestId } = batch[0]!;
    for await (const { answers } of client.batchSearch({ searches }, { deadlineMs, signal: ended.signal, requestId })) {
      for (const answer of answers) settled(batch[answer.position]!).resolve(answer);
      leave();
    }
    for (const one of [...unanswered]) settled(one).reject(withoutAnswer());
  } catch (error) {
    for (const one of [...unanswered]) settled(one).reject(error);
  }
}

function withoutAnswer(): ServiceError {
  return new ServiceError('internal', 'A search ended without an answer');
}

/** The result of a promise; rejects as soon as the signal is aborted. */
function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
