import type { Clause, Order } from './clauses.js';
import { type Cluster, unavailable } from './cluster.js';
import type { StoredDocument } from './stored-document.js';

export interface Hit {
  readonly _source?: StoredDocument;
  /** Values of the fields that the search is ordered by. */
  readonly sort: readonly (string | null)[];
}

export interface HitSearch {
  readonly alias: string;
  readonly filter: readonly Clause[];
  readonly order: Order;
  readonly size: number;
  /** Only what comes after these values of the order's fields. */
  readonly after?: Hit['sort'];
  /** Whether the documents are wanted, not only their order values. */
  readonly documents: boolean;
}

interface Answer {
  readonly timed_out: boolean;
  readonly hits: { readonly hits: readonly Hit[] };
}

/** One search in an alias; an alias that does not exist has no hits. Never a part of the hits: that is an error. */
export async function searchHits(cluster: Cluster, search: HitSearch, signal?: AbortSignal): Promise<readonly Hit[]> {
  const answer = await cluster.send<Answer>({
    method: 'POST',
    path: `/${search.alias}/_search`,
    query: { allow_partial_search_results: false },
    body: {
      size: search.size,
      query: { bool: { filter: search.filter } },
      sort: search.order,
      track_total_hits: false,
      ...(search.documents ? { _source: ['type', 'key', 'object'] } : { stored_fields: '_none_' }),
      ...(search.after && { search_after: search.after }),
    },
    ...(signal && { signal }),
  });
  if (answer?.timed_out) throw unavailable('a shard did not answer in time');
  return answer?.hits.hits ?? [];
}
