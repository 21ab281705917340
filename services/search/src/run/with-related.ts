import { ServiceError } from '@cadastre/service';
import { type IndexReads, maximalPage, type ObjectId } from '../index-port.js';
import type { QueryPlan } from '../query/plan.js';
import type { Found } from './found.js';
import { comparePlaces, type Place, placeOf } from './place.js';
import { byTypeAndKey, idText, loadRelated, relatedIds } from './related.js';

type Pages = AsyncIterable<readonly Found[]>;

/** Maximum number of related keys that a query without grouping remembers to avoid duplicates. */
const maxRemembered = 500_000;

/**
 * The objects of one source with their related ones: group by group, or all related ones at the end. From the start, or
 * after a position of the result.
 */
export async function* withRelated(
  index: IndexReads,
  primary: Pages,
  plan: Pick<QueryPlan, 'related' | 'grouping' | 'search'>,
  after?: Place,
): AsyncGenerator<readonly Found[]> {
  const { contacts, organisations, irts } = plan.related;
  const isGrouped = plan.grouping && (contacts || organisations || irts);
  const remembered = new Map<string, ObjectId>();
  for await (const page of primary) {
    const { last, rest } = after === undefined ? { last: [], rest: page } : partsOf(page, plan, after);
    if (isGrouped) {
      const ids = await relatedIds(index, [...last, ...rest], plan.related);
      yield* groups(
        index,
        last,
        rest,
        ids.map((some, at) => (at < last.length ? following(some, after) : some)),
      );
    } else {
      if (contacts || organisations || irts) remember(remembered, (await relatedIds(index, page, plan.related)).flat());
      yield rest;
    }
  }
  const ids = following([...remembered.values()].sort(byTypeAndKey), after);
  for (let at = 0; at < ids.length; ) {
    const loaded = await loadRelated(index, ids.slice(at, at + maximalPage));
    yield [...loaded.values()].filter((one) => one !== undefined);
    at += loaded.size;
  }
}

/** The last primary object of the position, if it is on the page, and the objects after it. */
function partsOf(page: readonly Found[], { search }: Pick<QueryPlan, 'search'>, { primary }: Place) {
  const compared = page.map((one) => comparePlaces(search, placeOf(one), primary));
  return { last: page.filter((_, at) => compared[at] === 0), rest: page.filter((_, at) => compared[at]! > 0) };
}

/** The sorted ids after the last related object of the position. */
function following(ids: readonly ObjectId[], after: Place | undefined): ObjectId[] {
  const related = after?.related;
  return related === undefined ? [...ids] : ids.filter((id) => byTypeAndKey(id, related) > 0);
}

/**
 * Each object followed by its related ones; holds at most one read of the index. For the objects in `before`, only the
 * related ones.
 */
async function* groups(
  index: IndexReads,
  before: readonly Found[],
  page: readonly Found[],
  ids: readonly ObjectId[][],
) {
  let loaded = await loadRelated(index, ids.flat());
  let done: Found[] = [];
  for (const [position, one] of [...before, ...page].entries()) {
    if (position >= before.length) done.push(one);
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
