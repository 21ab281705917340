import { type IndexReads, maximalBytes, maximalPage, type SearchIndex } from '../index-port.js';
import type { QueryPlan, SearchedSource } from '../query/plan.js';
import { isShown } from './filters.js';
import type { Found } from './found.js';
import { type Place, type PrimaryPlace, placeOf } from './place.js';
import { primaryObjects, type SourceResult } from './primary.js';
import { withRelated } from './with-related.js';

/** The result of a query. */
export interface QueryResult {
  /** The serial of the first searched source that the first page shows; 0 without an index of that source. */
  readonly serial: bigint;
  /** Sources without an index. */
  readonly missing: readonly SearchedSource[];
  /** Source by source, by the rules for order, related objects and filters, fetched on demand. */
  readonly pages: AsyncIterable<ResultPage>;
}

/** At most 100 objects with `maximalBytes` of text, or one larger object; perhaps none, after filters. */
export interface ResultPage {
  readonly objects: readonly Found[];
  /** Where the page ends; undefined before the first object. */
  readonly end: () => Place | undefined;
}

/**
 * Runs a query, from its start or after a place of its result. `index.position` tells whether the sources after the
 * first one have an index.
 */
export async function runQuery(
  index: IndexReads & Pick<SearchIndex, 'position'>,
  plan: QueryPlan,
  signal: AbortSignal,
  after?: Place,
): Promise<QueryResult> {
  const search = (source: SearchedSource) => primaryObjects(index, source, plan.search, signal);
  const start = after?.source ?? 0;
  const [first, ...others] = plan.sources.slice(start);
  const [opened, positions] = await Promise.all([
    search(first!),
    Promise.all(others.map(({ store }) => index.position(store))),
  ]);
  const built = others.filter((_, at) => positions[at] !== undefined);
  const missing = [...(opened ? [] : [first!]), ...others.filter((source) => !built.includes(source))];
  const begun = opened ? shownPages(index, opened, plan, start, after) : undefined;
  async function* pages() {
    if (begun) yield* begun;
    for (const source of built) {
      const result = await search(source);
      if (result) yield* shownPages(index, result, plan, plan.sources.indexOf(source));
    }
  }
  return { serial: opened?.serial ?? 0n, missing, pages: built.length === 0 && begun ? begun : pages() };
}

async function* shownPages(
  index: IndexReads,
  { pages }: SourceResult,
  plan: QueryPlan,
  source: number,
  after?: Place,
): AsyncGenerator<ResultPage> {
  let primary: PrimaryPlace | Found | undefined = after?.primary;
  let related = after?.related;
  const pageOf = (objects: readonly Found[]): ResultPage => {
    const last = primary;
    const follower = related;
    const end = () =>
      last && { source, primary: 'stored' in last ? placeOf(last) : last, ...(follower && { related: follower }) };
    return { objects, end };
  };
  for await (const group of withRelated(index, pages, plan, after)) {
    let objects: Found[] = [];
    let characters = 0;
    for (const one of group) {
      const { length } = one.stored.text;
      if (isShown(one, plan)) {
        if (objects.length === maximalPage || (objects.length > 0 && characters + length > maximalBytes)) {
          yield pageOf(objects);
          objects = [];
          characters = 0;
        }
        objects.push(one);
        characters += length;
      }
      if (one.related) related = one.stored;
      else [primary, related] = [one, undefined];
    }
    if (objects.length > 0) yield pageOf(objects);
  }
}
