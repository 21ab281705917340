import type { Clause, Order } from './clauses.js';
import { type SearchPlace, searchIn, unavailable, wholeResult } from './cluster.js';
import type { StoredDocument } from './stored-document.js';

export interface Hit {
  readonly _source?: StoredDocument;
  /** The sort values of the hit. */
  readonly sort: readonly (string | null)[];
  /** The values of the requested fields. */
  readonly fields?: Readonly<Record<string, readonly string[] | undefined>>;
}

export interface HitSearch {
  readonly filter: readonly Clause[];
  readonly order: Order;
  readonly size: number;
  /** Returns only hits after these sort values. */
  readonly after?: Hit['sort'];
  /** Whether to return documents, with small texts only; else only sort values. */
  readonly documents: boolean;
  /** Returns only the first hit for each value of this field. */
  readonly onePer?: string;
  /** Further fields to return, without the document. */
  readonly values?: readonly (keyof StoredDocument)[];
  /** The fields of the documents; default: type, key and object. */
  readonly fields?: readonly (keyof StoredDocument)[];
}

/** The fields of a document in a hit. */
export const documentFields = ['type', 'key', 'object'];

interface Answer {
  readonly timed_out: boolean;
  readonly hits: { readonly hits: readonly Hit[] };
}

/** One search; an alias that does not exist has no hits. */
export async function searchHits(place: SearchPlace, search: HitSearch): Promise<readonly Hit[]> {
  return (await searchIn<Answer>(place, bodyOf(search)))?.hits.hits ?? [];
}

/** Several searches by one request; returns the hits of each. */
export async function searchManyHits(
  { cluster, alias, signal }: SearchPlace,
  searches: readonly HitSearch[],
): Promise<(readonly Hit[])[]> {
  if (searches.length === 0) return [];
  const head = JSON.stringify(wholeResult);
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
    if (response?.timed_out) throw unavailable('a shard timed out');
    return response?.error ? [] : (response?.hits.hits ?? []);
  });
}

function bodyOf(search: HitSearch): object {
  return {
    size: search.size,
    query: { bool: { filter: search.filter } },
    sort: search.order,
    track_total_hits: false,
    ...(search.documents ? { _source: search.fields ?? documentFields } : { stored_fields: '_none_' }),
    ...(search.values && { docvalue_fields: search.values }),
    ...(search.after && { search_after: search.after }),
    ...(search.onePer && { collapse: { field: search.onePer } }),
  };
}
