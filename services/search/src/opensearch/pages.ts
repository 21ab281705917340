import { type IndexedObject, maximalPage } from '../index-port.js';
import type { Clause, Order } from './clauses.js';
import type { Cluster } from './cluster.js';
import { type Hit, searchHits } from './search-hits.js';
import { toIndexed } from './stored-document.js';

/** Where a query reads. */
export interface Reader {
  readonly cluster: Cluster;
  readonly source: string;
  readonly alias: string;
  readonly signal: AbortSignal;
}

export interface PagedSearch {
  readonly filter: readonly Clause[];
  readonly order: Order;
  /** A condition that holds for all that comes after a hit: it spares the cluster what was read already. */
  readonly narrow?: (after: Hit) => Clause;
}

/** Hits of every request but the first: each costs the cluster a look at all that is left. */
const largeRequest = 500;

/**
 * All hits in pages, each request from the order values of the last hit on. No state in the cluster between two
 * pages, and the alias may mean another index by the next one: the order values are of the objects, not of an index.
 */
export async function* readPages(reader: Reader, search: PagedSearch): AsyncIterable<readonly IndexedObject[]> {
  let last: Hit | undefined;
  do {
    const size = last ? largeRequest : maximalPage;
    const hits: readonly Hit[] = await searchHits(
      reader.cluster,
      {
        alias: reader.alias,
        filter: last && search.narrow ? [...search.filter, search.narrow(last)] : search.filter,
        order: search.order,
        size,
        documents: true,
        ...(last && { after: last.sort }),
      },
      reader.signal,
    );
    for (let from = 0; from < hits.length; from += maximalPage) {
      yield hits.slice(from, from + maximalPage).map((hit) => toIndexed(reader.source, hit._source!));
    }
    last = hits.length === size ? hits.at(-1) : undefined;
  } while (last);
}
