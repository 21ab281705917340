import { type IndexReads, maximalPage, type SearchIndex } from '../index-port.js';
import type { QueryPlan, SearchedSource } from '../query/plan.js';
import { isShown } from './filters.js';
import type { Found } from './found.js';
import { primaryObjects, type SourceResult } from './primary.js';
import { withRelated } from './with-related.js';

/** The result of a query. */
export interface QueryResult {
  /** The serial of the first source that the first page shows; 0 without an index of that source. */
  readonly serial: bigint;
  /** Sources without an index. */
  readonly missing: readonly SearchedSource[];
  /**
   * Source by source, by the rules for order, related objects and filters. Pages of 1 to 100 objects, fetched on
   * demand.
   */
  readonly pages: AsyncIterable<readonly Found[]>;
}

/** Runs a query. `index.position` tells whether the sources after the first one have an index. */
export async function runQuery(
  index: IndexReads & Pick<SearchIndex, 'position'>,
  plan: QueryPlan,
  signal: AbortSignal,
): Promise<QueryResult> {
  const search = (source: SearchedSource) => primaryObjects(index, source, plan.search, signal);
  const [first, ...others] = plan.sources;
  const [opened, positions] = await Promise.all([
    search(first!),
    Promise.all(others.map(({ store }) => index.position(store))),
  ]);
  const built = others.filter((_, at) => positions[at] !== undefined);
  const missing = plan.sources.filter((source) => (source === first ? !opened : !built.includes(source)));
  async function* pages() {
    if (opened) yield* shownPages(index, opened, plan);
    for (const source of built) {
      const result = await search(source);
      if (result) yield* shownPages(index, result, plan);
    }
  }
  return { serial: opened?.serial ?? 0n, missing, pages: pages() };
}

async function* shownPages(index: IndexReads, { pages }: SourceResult, plan: QueryPlan): QueryResult['pages'] {
  for await (const page of withRelated(index, pages, plan)) {
    const shown = page.filter((one) => isShown(one, plan));
    for (let at = 0; at < shown.length; at += maximalPage) yield shown.slice(at, at + maximalPage);
  }
}
