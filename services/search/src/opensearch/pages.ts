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

/**
 * All hits in pages, each found by the order values of the last one. No state in the cluster between two pages, and
 * the alias may mean another index by the next page: the order values are of the objects, not of an index.
 */
export async function* readPages(reader: Reader, search: PagedSearch): AsyncIterable<readonly IndexedObject[]> {
  let last: Hit | undefined;
  do {
    const hits: readonly Hit[] = await searchHits(
      reader.cluster,
      {
        alias: reader.alias,
        filter: last && search.narrow ? [...search.filter, search.narrow(last)] : search.filter,
        order: search.order,
        size: maximalPage,
        documents: true,
        ...(last && { after: last.sort }),
      },
      reader.signal,
    );
    if (hits.length > 0) yield hits.map((hit) => toIndexed(reader.source, hit._source!));
    last = hits.length === maximalPage ? hits.at(-1) : undefined;
  } while (last);
}
