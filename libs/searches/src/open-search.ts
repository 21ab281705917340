import type {
  SearchFirstPageResponse,
  SearchRequest,
  SearchResponse,
  SearchServiceService,
} from '@cadastre/proto/search';
import { errorOfFailure, type RpcClient, ServiceError, withRetry } from '@cadastre/service';

/** Starts a search and waits for its first page, because until then it can fail as a whole. Throws a ServiceError. */
export type OpenSearch = (request: Omit<SearchRequest, 'cursor'>, call: SearchCall) => Promise<OpenResult>;

/** The request that a search serves. */
interface SearchCall {
  /** Cancels the search, and later the reading of its pages. */
  readonly signal: AbortSignal;
  readonly requestId: string;
  /** Called with the milliseconds that the reads of each page took, also for a failed search. */
  readonly onProcessing?: (ms: number) => void;
}

/** A search result whose first page has arrived. */
export interface OpenResult {
  readonly first: SearchResponse;
  /** The pages after the first, requested on demand; undefined when the first is the whole result. */
  readonly rest: AsyncIterable<SearchResponse> | undefined;
  /** The request for the objects after the limit; undefined when there are none, or none are known. */
  readonly next: Pick<SearchRequest, 'start' | 'offset'> | undefined;
}

/** Timeouts of searches. */
export interface SearchBounds {
  /** Maximum wait for the first page. */
  readonly firstPageMs: number;
  /** Maximum time for the whole search. */
  readonly wholeMs: number;
}

type Client = Pick<RpcClient<typeof SearchServiceService>, 'search' | 'searchFirstPage'>;

const fromStart = Buffer.alloc(0);

/** Searches by a client of the search service. Retries a search for up to a second while the service is unavailable. */
export function createOpenSearch(client: Client, { firstPageMs, wholeMs }: SearchBounds): OpenSearch {
  return async (request, { signal, requestId, onProcessing = () => {} }) => {
    const search = { ...request, cursor: fromStart };
    const answer = await withRetry({ signal, requestId }, firstPageMs, async (options) => {
      const response = await client.searchFirstPage({ search }, options);
      onProcessing(response.processingMs ?? 0);
      if (response.failure !== undefined) throw errorOfFailure(response.failure);
      return response;
    });
    const { page, cursor } = answer;
    if (page === undefined) throw new ServiceError('internal', 'A search ended without an answer');
    const rest = () => client.search({ ...request, cursor }, { deadlineMs: wholeMs, signal, requestId });
    return {
      first: page,
      rest: cursor.length === 0 ? undefined : counted(rest, onProcessing),
      next: nextOf(request, page, answer),
    };
  };
}

/**
 * The first page does not reach the limit, so the cursor there is unknown: the next search skips what this one will
 * read.
 */
function nextOf(
  { limit }: Pick<SearchRequest, 'limit'>,
  { objects }: SearchResponse,
  { next, cursor }: SearchFirstPageResponse,
): OpenResult['next'] {
  if (next !== undefined && next.length > 0) return { start: next, offset: 0 };
  if (cursor.length === 0 || limit === undefined) return undefined;
  return { start: cursor, offset: limit - objects.length };
}

/** A stream of pages that begins with the first read. */
async function* counted(
  open: () => AsyncIterable<SearchResponse>,
  onProcessing: (ms: number) => void,
): AsyncGenerator<SearchResponse> {
  for await (const page of open()) {
    onProcessing(page.processingMs ?? 0);
    yield page;
  }
}
