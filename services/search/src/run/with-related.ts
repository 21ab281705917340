import { ServiceError } from '@cadastre/service';
import { maximalPage, type ObjectId, type SearchIndex } from '../index-port.js';
import type { QueryPlan } from '../query/plan.js';
import type { Found } from './found.js';
import { byTypeAndKey, idText, loadRelated, relatedIds } from './related.js';

type Pages = AsyncIterable<readonly Found[]>;

/** Keys of related objects that a query without grouping remembers at most, to show each once. */
const mostRemembered = 500_000;

/** The objects of one source with those that accompany them: group by group, or all of them at the end. */
export async function* withRelated(
  index: SearchIndex,
  primary: Pages,
  plan: Pick<QueryPlan, 'related' | 'grouping'>,
  signal: AbortSignal,
): AsyncGenerator<readonly Found[]> {
  const { contacts, organisations, irts } = plan.related;
  if (!contacts && !organisations && !irts) {
    yield* primary;
    return;
  }
  const remembered = new Map<string, ObjectId>();
  for await (const page of primary) {
    const ids = await relatedIds(index, page, plan.related, signal);
    if (plan.grouping) yield await groups(index, page, ids);
    else {
      remember(remembered, ids.flat());
      yield page;
    }
  }
  const ids = [...remembered.values()].sort(byTypeAndKey);
  for (let at = 0; at < ids.length; at += maximalPage) {
    yield [...(await loadRelated(index, ids.slice(at, at + maximalPage))).values()];
  }
}

/** Each object followed by its related ones. */
async function groups(index: SearchIndex, page: readonly Found[], ids: readonly ObjectId[][]): Promise<Found[]> {
  const related = await loadRelated(index, ids.flat());
  return page.flatMap((one, position) => [one, ...ids[position]!.flatMap((id) => related.get(idText(id)) ?? [])]);
}

function remember(remembered: Map<string, ObjectId>, ids: readonly ObjectId[]): void {
  for (const id of ids) remembered.set(idText(id), id);
  if (remembered.size > mostRemembered) {
    throw new ServiceError('exhausted', 'Too many related objects to show each once: repeat without no-grouping');
  }
}
