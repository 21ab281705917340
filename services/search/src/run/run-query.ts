import { maximalPage, type SearchIndex } from '../index-port.js';
import type { QueryPlan } from '../query/plan.js';
import { isShown } from './filters.js';
import type { Found } from './found.js';
import { primaryObjects } from './primary.js';
import { withRelated } from './with-related.js';

/**
 * Runs a query: source by source, in the order of the query rules, related objects and filters applied. Pages of 1 to
 * 100 objects, fetched when they are pulled.
 */
export async function* runQuery(
  index: SearchIndex,
  plan: QueryPlan,
  signal: AbortSignal,
): AsyncGenerator<readonly Found[]> {
  for (const source of plan.sources) {
    const primary = primaryObjects(index, source, plan.search, signal);
    for await (const page of withRelated(index, primary, plan, signal)) {
      const shown = page.filter((one) => isShown(one, plan));
      for (let at = 0; at < shown.length; at += maximalPage) yield shown.slice(at, at + maximalPage);
    }
  }
}
