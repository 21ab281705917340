import { type IndexedObject, type InverseQuery, maximalPage, neededBy, type TypeQuery } from '../index-port.js';
import { anyOf, byAddress, byKey, matching, ofTypeWithTerms, startingAt } from './clauses.js';
import { searchIn } from './cluster.js';
import { knownObjects, objectsOf } from './load-documents.js';
import { type Hit, type Reader, readPages, searchHits } from './search-hits.js';

export type TermQuery = Extract<TypeQuery, { kind: 'terms' }>;

/** Searches several types by their terms: by one request, unless all types together have more matches than a page. */
export async function* readTerms(
  reader: Reader,
  queries: readonly TermQuery[],
): AsyncIterable<readonly IndexedObject[]> {
  if (queries.length > 1) {
    const filter = [anyOf(queries.map(ofTypeWithTerms))];
    const hits = await searchHits(reader, { filter, order: byAddress, size: maximalPage + 1, documents: true });
    if (hits.length <= maximalPage) {
      const ordered = queries.flatMap((query) => hitsOf(query, hits));
      yield* objectsOf(
        reader,
        ordered.map((hit) => hit._source!),
      );
      return;
    }
  }
  for (const query of queries) {
    const order = query.order === 'key' ? byKey : byAddress;
    yield* readPages(reader, { filter: [ofTypeWithTerms(query), ...startingAt(query)], order });
  }
}

/** The hits of a type, which are in the order of addresses, in the order of its query. */
function hitsOf({ type, order }: TermQuery, hits: readonly Hit[]): Hit[] {
  const found = hits.filter((hit) => hit._source!.type === type);
  return order === 'key' ? found.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) : found;
}

function keyOf(hit: Hit): string {
  return hit._source!.key;
}

interface Answer {
  readonly aggregations: { readonly types: { readonly buckets: readonly { key: string; doc_count: number }[] } };
}

/** Counts the matches of each query, by one request after one that looks for the object that they need. */
export async function countByType(reader: Reader, queries: readonly InverseQuery[]): Promise<number[]> {
  const none = queries.map(() => 0);
  const needed = neededBy(queries);
  if (needed !== undefined && !(await knownObjects(reader, needed)).includes(true)) return none;
  const answer = await searchIn<Answer>(reader, {
    size: 0,
    track_total_hits: false,
    query: { bool: { filter: [anyOf(queries.map(matching))] } },
    aggs: { types: { terms: { field: 'type', size: Math.max(queries.length, 1) } } },
  });
  if (answer === undefined) return none;
  const counts = new Map(answer.aggregations.types.buckets.map((bucket) => [bucket.key, bucket.doc_count]));
  return queries.map(({ type }) => counts.get(type) ?? 0);
}
