import { type IndexedObject, maximalPage, type TypeQuery } from '../index-port.js';
import { anyOf, byAddress, byKey, ofTypeWithTerms, startingAt } from './clauses.js';
import { objectsOf } from './load-documents.js';
import { type Reader, readPages } from './pages.js';
import { type Hit, searchHits } from './search-hits.js';

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
