import { type IndexedObject, maximalPage } from '../index-port.js';
import type { Clause, Order } from './clauses.js';
import { type SearchTarget, searchIn, unavailable, wholeResult } from './cluster.js';
import { objectsOf } from './load-documents.js';
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
export async function searchHits(target: SearchTarget, search: HitSearch): Promise<readonly Hit[]> {
  return (await searchIn<Answer>(target, bodyOf(search)))?.hits.hits ?? [];
}

/** Several searches by one request; returns the hits of each. */
export async function searchManyHits(
  { cluster, alias, signal }: SearchTarget,
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

/** The index and type to read from. */
export interface Reader extends SearchTarget {
  readonly source: string;
  readonly signal: AbortSignal;
}

export interface PagedSearch {
  readonly filter: readonly Clause[];
  readonly order: Order;
  /** A condition that holds for everything after a hit: it saves the cluster from rereading. */
  readonly narrow?: (after: Hit) => Clause;
}

/** Hits of every request but the first: each request costs the cluster a scan of the rest. */
const largeRequest = 500;

/**
 * All hits in pages; each request continues after the sort values of the last hit. The cluster keeps no state between
 * two pages, and the alias may switch to another index: sort values belong to objects, not to an index.
 */
export async function* readPages(reader: Reader, search: PagedSearch): AsyncIterable<readonly IndexedObject[]> {
  let last: Hit | undefined;
  do {
    const size = last ? largeRequest : maximalPage;
    const hits: readonly Hit[] = await searchHits(reader, {
      filter: last && search.narrow ? [...search.filter, search.narrow(last)] : search.filter,
      order: search.order,
      size,
      documents: true,
      ...(last && { after: last.sort }),
    });
    for (let from = 0; from < hits.length; from += maximalPage) {
      const page = hits.slice(from, from + maximalPage).map((hit) => hit._source!);
      yield* objectsOf(reader, page);
    }
    last = hits.length === size ? hits.at(-1) : undefined;
  } while (last);
}
