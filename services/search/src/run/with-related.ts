import { ServiceError } from '@cadastre/service';
import { type IndexReads, maximalPage, type ObjectId } from '../index-port.js';
import type { QueryPlan } from '../query/plan.js';
import type { Found } from './found.js';
import { byTypeAndKey, idText, loadRelated, relatedIds } from './related.js';

type Pages = AsyncIterable<readonly Found[]>;

/** Maximum number of related keys that a query without grouping remembers to avoid duplicates. */
const maxRemembered = 500_000;

/** The objects of one source with their related ones: group by group, or all related ones at the end. */
export async function* withRelated(
  index: IndexReads,
  primary: Pages,
  plan: Pick<QueryPlan, 'related' | 'grouping'>,
): AsyncGenerator<readonly Found[]> {
  const { contacts, organisations, irts } = plan.related;
  if (!contacts && !organisations && !irts) {
    yield* primary;
    return;
  }
  const remembered = new Map<string, ObjectId>();
  for await (const page of primary) {
    const ids = await relatedIds(index, page, plan.related);
    if (plan.grouping) yield* groups(index, page, ids);
    else {
      remember(remembered, ids.flat());
      yield page;
    }
  }
  const ids = [...remembered.values()].sort(byTypeAndKey);
  for (let at = 0; at < ids.length; ) {
    const loaded = await loadRelated(index, ids.slice(at, at + maximalPage));
    yield [...loaded.values()].filter((one) => one !== undefined);
    at += loaded.size;
  }
}

/** Each object followed by its related ones; holds at most one read of the index. */
async function* groups(index: IndexReads, page: readonly Found[], ids: readonly ObjectId[][]) {
  let loaded = await loadRelated(index, ids.flat());
  let done: Found[] = [];
  for (const [position, one] of page.entries()) {
    done.push(one);
    for (const [at, id] of ids[position]!.entries()) {
      if (!loaded.has(idText(id))) {
        yield done;
        done = [];
        loaded = await loadRelated(index, idsFrom(ids, position, at));
      }
      const related = loaded.get(idText(id));
      if (related) done.push(related);
    }
  }
  yield done;
}

/** The ids from a position on. */
function* idsFrom(ids: readonly ObjectId[][], position: number, at: number): Generator<ObjectId> {
  yield* ids[position]!.slice(at);
  for (const further of ids.slice(position + 1)) yield* further;
}

function remember(remembered: Map<string, ObjectId>, ids: readonly ObjectId[]): void {
  for (const id of ids) remembered.set(idText(id), id);
  if (remembered.size > maxRemembered) {
    throw new ServiceError('exhausted', 'Too many related objects to show each once: repeat without no-grouping');
  }
}
