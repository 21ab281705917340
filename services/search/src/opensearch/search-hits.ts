import type { Clause, Order } from './clauses.js';
import { type Cluster, localCopy, unavailable } from './cluster.js';
import type { StoredDocument } from './stored-document.js';

export interface Hit {
  readonly _source?: StoredDocument;
  /** The sort values of the hit. */
  readonly sort: readonly (string | null)[];
}

export interface HitSearch {
  readonly alias: string;
  readonly filter: readonly Clause[];
  readonly order: Order;
  readonly size: number;
  /** Returns only hits after these sort values. */
  readonly after?: Hit['sort'];
  /** Whether to return documents, with small texts only; else only sort values. */
  readonly documents: boolean;
  /** Returns only the first hit for each value of this field. */
  readonly onePer?: string;
  /** The fields of the documents; default: type, key and object. */
  readonly fields?: readonly (keyof StoredDocument)[];
}

/** The fields of a document in a hit. */
export const documentFields = ['type', 'key', 'object'];

interface Answer {
  readonly timed_out: boolean;
  readonly hits: { readonly hits: readonly Hit[] };
}

/** One search in an alias; an alias that does not exist has no hits. Partial results are an error. */
export async function searchHits(cluster: Cluster, search: HitSearch, signal?: AbortSignal): Promise<readonly Hit[]> {
  const answer = await cluster.read<Answer>({
    method: 'POST',
    path: `/${search.alias}/_search`,
    query: { ...localCopy, allow_partial_search_results: false },
    body: bodyOf(search),
    ...(signal && { signal }),
  });
  return hitsOf(answer);
}

/** Several searches in an alias by one request; returns the hits of each. */
export async function searchManyHits(
  cluster: Cluster,
  alias: string,
  searches: readonly HitSearch[],
  signal?: AbortSignal,
): Promise<(readonly Hit[])[]> {
  if (searches.length === 0) return [];
  const head = JSON.stringify({ ...localCopy, allow_partial_search_results: false });
  const answer = await cluster.read<{
    responses: readonly (Answer & { readonly error?: { readonly type: string } })[];
  }>({
    method: 'POST',
    path: `/${alias}/_msearch`,
    lines: searches.flatMap((search) => [head, JSON.stringify(bodyOf(search))]),
    ...(signal && { signal }),
  });
  const failed = answer?.responses.find(({ error }) => error && error.type !== 'index_not_found_exception');
  if (failed) throw unavailable(failed.error);
  return searches.map((_, at) => {
    const response = answer?.responses[at];
    return response?.error ? [] : hitsOf(response);
  });
}

function bodyOf(search: HitSearch): object {
  return {
    size: search.size,
    query: { bool: { filter: search.filter } },
    sort: search.order,
    track_total_hits: false,
    ...(search.documents ? { _source: search.fields ?? documentFields } : { stored_fields: '_none_' }),
    ...(search.after && { search_after: search.after }),
    ...(search.onePer && { collapse: { field: search.onePer } }),
  };
}

function hitsOf(answer: Answer | undefined): readonly Hit[] {
  if (answer?.timed_out) throw unavailable('a shard timed out');
  return answer?.hits.hits ?? [];
}
