import type { SearchedSource } from '@cadastre/query';
import { validate } from '@cadastre/rpsl';
import { type IndexReads, maximalBytes, maximalPage, type SearchIndex, type TypedKey } from '../index-port.js';
import type { QueryPlan } from '../query/plan.js';
import type { Found } from './found.js';
import { type PrimaryPosition, positionOf, type ResultPosition } from './position.js';
import { primaryObjects, type SourceResult } from './primary.js';
import { withRelated } from './related.js';

/** The result of a query. */
export interface QueryResult {
  /** The serial of the first searched source that the first page shows; 0 without an index of that source. */
  readonly serial: bigint;
  /** Sources without an index. */
  readonly missing: readonly SearchedSource[];
  /** Source by source, according to the rules for order, related objects and filters, fetched on demand. */
  readonly pages: AsyncIterable<ResultPage>;
}

/** At most 100 objects with `maximalBytes` of text, or one larger object; possibly none, after filters. */
export interface ResultPage {
  readonly objects: readonly Found[];
  /**
   * The position after the first `count` objects, or after all and what the filters removed behind them; undefined
   * before the first object.
   */
  readonly positionAfter: (count?: number) => ResultPosition | undefined;
}

/**
 * Runs a query, from its start or after a position of its result. `index.position` returns whether the sources after
 * the first one have an index.
 */
export async function runQuery(
  index: IndexReads & Pick<SearchIndex, 'position'>,
  plan: QueryPlan,
  signal: AbortSignal,
  after?: ResultPosition,
): Promise<QueryResult> {
  const search = (source: SearchedSource, from?: PrimaryPosition) => primaryObjects(index, source, plan, signal, from);
  const start = after?.source ?? 0;
  const [first, ...others] = plan.sources.slice(start);
  const [opened, positions] = await Promise.all([
    search(first!, isForward(plan) ? after?.primary : undefined),
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

/** Whether nothing that follows an object depends on those before it: related objects at the end come once for all. */
function isForward({ related, grouping }: QueryPlan): boolean {
  return grouping || !(related.contacts || related.organisations || related.irts);
}

/** The pages of one source. */
function shownPages(
  index: IndexReads,
  { pages }: SourceResult,
  plan: QueryPlan,
  source: number,
  after?: ResultPosition,
): AsyncGenerator<ResultPage> {
  type Primary = PrimaryPosition | Found | undefined;
  let primary: Primary = after?.primary;
  let related = after?.related;
  const positionAt = (last: Primary, follower: TypedKey | undefined): ResultPosition | undefined =>
    last && { source, primary: 'stored' in last ? positionOf(last) : last, ...(follower && { related: follower }) };
  /** The objects of a page, each with the primary object that it belongs to, and where the page begins. */
  const begin = () => ({ objects: [] as Found[], primaries: [] as Primary[], start: [primary, related] as const });
  const pageOf = ({ objects, primaries, start }: ReturnType<typeof begin>): ResultPage => {
    const end = [primary, related] as const;
    const positionAfter = (count = objects.length) => {
      if (count === 0) return positionAt(...start);
      if (count === objects.length) return positionAt(...end);
      const one = objects[count - 1]!;
      return positionAt(primaries[count - 1], one.related ? one.stored : undefined);
    };
    return { objects, positionAfter };
  };
  return withRelated(index, pages, plan, after, (part) => {
    const full: ResultPage[] = [];
    let page = begin();
    let characters = 0;
    for (const one of part) {
      const shown = filtered(one, plan);
      const length = shown?.leftOut ? 0 : one.stored.text.length;
      if (shown && (page.objects.length === maximalPage || (characters > 0 && characters + length > maximalBytes))) {
        full.push(pageOf(page));
        page = begin();
        characters = 0;
      }
      if (one.related) related = one.stored;
      else [primary, related] = [one, undefined];
      if (!shown) continue;
      page.objects.push(shown);
      page.primaries.push(primary);
      characters += length;
    }
    return page.objects.length > 0 ? [...full, pageOf(page)] : full;
  });
}

type Filters = Pick<QueryPlan, 'includeTags' | 'excludeTags' | 'syntax' | 'withLeftOut'>;

/**
 * An object in the form of the result; undefined if the filters exclude it. Related objects pass the same filters
 * (decision R6).
 */
function filtered(one: Found, { includeTags, excludeTags, syntax, withLeftOut }: Filters): Found | undefined {
  if (includeTags.length + excludeTags.length > 0) {
    const tags = one.stored.tags.map((tag) => tag.id.toLowerCase());
    if (includeTags.length > 0 && !includeTags.some((tag) => tags.includes(tag))) return undefined;
    if (excludeTags.some((tag) => tags.includes(tag))) return undefined;
  }
  const hasError = () => validate(one.object).some(({ severity }) => severity === 'error');
  if (syntax === undefined || hasError() === (syntax === 'invalid')) return one;
  return withLeftOut ? { ...one, leftOut: true } : undefined;
}
