import { type IndexedObject, maximalPage } from '../index-port.js';
import type { Clause, Order } from './clauses.js';
import type { SearchPlace } from './cluster.js';
import { objectsOf } from './load-documents.js';
import { type Hit, searchHits } from './search-hits.js';

/** The index and type to read from. */
export interface Reader extends SearchPlace {
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
