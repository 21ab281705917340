import type { SearchRequest, SearchResponse, SearchServiceService } from '@cadastre/proto/search';
import { type RpcClient, ServiceError } from '@cadastre/service';

/** Bounds of one search. */
export interface SearchCall {
  /** Longest wait for the first page. */
  readonly firstPageMs: number;
  /** Longest time for the whole search. */
  readonly wholeMs: number;
  /** Ends the search. */
  readonly signal: AbortSignal;
  readonly requestId: string;
}

/** A search result whose first page has arrived. */
export interface OpenResult {
  readonly first: SearchResponse;
  /** The pages after the first. Read it to the end, or call `return`. */
  readonly rest: AsyncIterator<SearchResponse>;
}

/**
 * Starts a search and waits for its first page, because until then it can fail as a whole. Later pages are requested as
 * they are read. Throws a ServiceError.
 */
export async function openSearch(
  client: Pick<RpcClient<typeof SearchServiceService>, 'search'>,
  request: SearchRequest,
  { firstPageMs, wholeMs, signal, requestId }: SearchCall,
): Promise<OpenResult> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new ServiceError('timeout', 'The search took too long')), firstPageMs);
  try {
    const options = { deadlineMs: wholeMs, signal: AbortSignal.any([signal, late.signal]), requestId };
    const rest = client.search(request, options)[Symbol.asyncIterator]();
    const { done, value: first } = await rest.next();
    if (done) throw new ServiceError('internal', 'A search ended without an answer');
    return { first, rest };
  } finally {
    clearTimeout(timer);
  }
}
