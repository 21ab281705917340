import type { SearchRequest, SearchResponse, SearchServiceService } from '@cadastre/proto/search';
import { type RpcClient, ServiceError } from '@cadastre/service';

/** How a search is asked for. */
export interface SearchCall {
  /** How long it may take until its first page is there. */
  readonly firstPageMs: number;
  /** How long all of it may take. */
  readonly wholeMs: number;
  /** Ends the search. */
  readonly signal: AbortSignal;
  readonly requestId: string;
}

/** A result of which the first page is there. */
export interface OpenResult {
  readonly first: SearchResponse;
  /** The pages after the first. To be read to the end, or returned. */
  readonly rest: AsyncIterator<SearchResponse>;
}

/**
 * Begins a search and waits for its first page: until then it can still fail as a whole. Pages are asked for as they
 * are read. Throws a ServiceError.
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
