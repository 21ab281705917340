import type { Range } from '@cadastre/query';
import type { ObjectTypeName } from '@cadastre/rpsl';
import type { IndexedObject, Nearest, TypeQuery } from '../index-port.js';
import {
  around,
  beginningIn,
  byAddress,
  bySize,
  type Clause,
  equalTo,
  fromDigits,
  inside,
  not,
  ofOrigin,
  ofType,
  startingAt,
  withAttribute,
} from './clauses.js';
import { loadInParts, objectsOf, termsWith } from './load-documents.js';
import { type Hit, type Reader, readPages, searchHits, searchManyHits } from './search-hits.js';

type RangeQuery = Extract<TypeQuery, { kind: 'range' }>;
type Pages = AsyncIterable<readonly IndexedObject[]>;

/** Reads in the modes of index-port.ts. */
export function readHierarchy(reader: Reader, query: RangeQuery): Pages {
  const { type, range } = query;
  const filter = [ofType(type), ...(query.origin === undefined ? [] : [ofOrigin(query.origin)]), ...startingAt(query)];
  switch (query.mode) {
    case 'exact':
      return readPages(reader, { filter: [...filter, equalTo(range)], order: byAddress });
    case 'default':
      return readSmallest(reader, query, [around(range)]);
    case 'one-less':
      return readSmallest(reader, query, [around(range), not(equalTo(range))]);
    case 'all-less':
      return readPages(reader, { filter: [...filter, around(range)], order: byAddress });
    case 'one-more':
      return readFirstLevel(reader, query);
    case 'all-more': {
      const narrow = (after: Hit) => inside({ ...range, first: rangeOf(after, range).first });
      return readPages(reader, { filter: [...filter, inside(range), not(equalTo(range))], order: byAddress, narrow });
    }
  }
}

/**
 * Objects with the smallest of nested ranges. They come first in one search; when there may be more than its two hits,
 * they are read in pages.
 */
async function* readSmallest(reader: Reader, { type, range, origin }: RangeQuery, filter: Clause[]): Pages {
  const head = { filter: [ofType(type), ...filter], order: bySize, size: 2, documents: true };
  const [smallest, next] = await searchHits(reader, head);
  if (!smallest) return;
  const narrowed = origin === undefined ? [] : [ofOrigin(origin)];
  if (next && sameRange(smallest, next)) {
    const group = [ofType(type), equalTo(rangeOf(smallest, range)), ...narrowed];
    yield* readPages(reader, { filter: group, order: byAddress });
  } else if (origin === undefined || smallest.sort[2] === origin) {
    yield* objectsOf(reader, [smallest._source!]);
  }
}

/** The one object with the smallest range that contains all of `range`. */
export async function* readCovering(reader: Reader, { type, range }: Extract<TypeQuery, { kind: 'covering' }>): Pages {
  const filter = [ofType(type), around(range)];
  const [smallest] = await searchHits(reader, { filter, order: bySize, size: 1, documents: true });
  if (smallest) yield* objectsOf(reader, [smallest._source!]);
}

/** For each range, the smallest one that contains it and has a term of an attribute (`SearchIndex.nearestWith`). */
export async function readNearestWith(
  target: Omit<Reader, 'signal'>,
  type: ObjectTypeName,
  attribute: string,
  ranges: readonly Range[],
): Promise<(Nearest | undefined)[]> {
  const searches = ranges.map((range) => {
    const filter = [ofType(type), around(range), withAttribute(attribute)];
    return { filter, order: bySize, size: 1, documents: true };
  });
  const hits = await searchManyHits(target, searches);
  const nearest = hits.map(([smallest]) => smallest?._source);
  const distinct = new Map(nearest.flatMap((one) => (one ? [[one.key, one] as const] : [])));
  const values = await termsWith(target, distinct.values(), `${attribute}=`);
  return nearest.map((one) => one && { key: one.key, values: values.get(one.key) ?? [] });
}

/** Maximum number of ranges in one step; fetches only the texts of the first level. */
const stepSize = 500;

/** A search for the ranges that start in a part of the space. */
interface Step {
  readonly first: bigint;
  /** Number of addresses or AS numbers in the part. */
  readonly width: bigint;
  /** The last hit of the previous step, when more objects may have its range. */
  readonly after?: Hit;
}

type FirstLevelQuery = Pick<Extract<TypeQuery, { kind: 'range' }>, 'type' | 'range' | 'from'>;

/** The objects of `readTops`, without those of another origin. */
async function* readFirstLevel(
  reader: Reader,
  query: Extract<TypeQuery, { kind: 'range' }>,
): AsyncIterable<readonly IndexedObject[]> {
  const { type, origin } = query;
  for await (const found of readTops(reader, query)) {
    const wanted = found.filter((hit) => origin === undefined || hit.sort[2] === origin);
    yield* loadInParts(
      reader,
      wanted.map(({ sort }) => ({ type, key: sort[3]! })),
    );
  }
}

/**
 * Hits strictly inside a range and not inside another such one. Reads the ranges inside in the order of addresses, and
 * continues after the end of the last first-level object of each step: of its descendants it reads one step's worth, not
 * all. The cluster's work in a step depends on how many ranges start in its part of the space, so the density of one
 * step determines the width of the next part.
 */
export async function* readTops(reader: Reader, query: FirstLevelQuery): AsyncIterable<readonly Hit[]> {
  const { range, from } = query;
  const first = greater(range.first, from?.range?.first ?? range.first);
  let step: Step | undefined = { first, width: range.last - range.first + 1n };
  let top: Hit | undefined;
  while (step) {
    const hits: readonly Hit[] = await look(reader, query, step);
    const firstLevel = tops(hits, top);
    yield firstLevel;
    top = firstLevel.at(-1) ?? top;
    step = nextStep(range, step, hits, top);
  }
}

/** The hits that are not inside another hit, nor inside `top`, which was found before. */
function tops(hits: readonly Hit[], top: Hit | undefined): Hit[] {
  const found: Hit[] = [];
  for (const hit of hits) {
    const last = found.at(-1) ?? top;
    if (!last || isBehind(hit, last) || sameRange(hit, last)) found.push(hit);
  }
  return found;
}

function look(
  reader: Reader,
  { type, range }: { type: ObjectTypeName; range: Range },
  { first, width, after }: Step,
): Promise<readonly Hit[]> {
  const part = beginningIn({ first, last: lesser(range.last, first + width - 1n) });
  return searchHits(reader, {
    filter: [ofType(type), part, inside({ ...range, first }), not(equalTo(range))],
    order: byAddress,
    size: stepSize,
    documents: false,
    ...(after && { after: after.sort }),
  });
}

/** Undefined after the last step. */
function nextStep(range: Range, step: Step, hits: readonly Hit[], top: Hit | undefined): Step | undefined {
  const isWholePart = hits.length < stepSize;
  const last = hits.at(-1);
  if (!isWholePart && last && top && sameRange(last, top)) {
    return { first: rangeOf(top, range).first, width: step.width, after: last };
  }
  const seen = isWholePart ? step.first + step.width - 1n : step.first;
  const first = greater(seen, top ? rangeOf(top, range).last : seen) + 1n;
  if (first > range.last) return undefined;
  if (isWholePart) return { first, width: step.width * 8n };
  return { first, width: 4n * (rangeOf(last!, range).first - step.first) + 1n };
}

function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** The range of a hit in a search ordered by the ends of ranges. */
function rangeOf({ sort: [first, last] }: Hit, { space }: Pick<Range, 'space'>): Range {
  return { space, first: fromDigits(first!), last: fromDigits(last!) };
}

function sameRange(a: Hit, b: Hit): boolean {
  return a.sort[0] === b.sort[0] && a.sort[1] === b.sort[1];
}

/** Whether a hit starts after the end of the previous one. */
export function isBehind(hit: Hit, before: Hit): boolean {
  return hit.sort[0]! > before.sort[1]!;
}
