import type { Range } from '@cadastre/query';
import type { ObjectTypeName } from '@cadastre/rpsl';
import type { IndexedObject, Nearest, TypeQuery } from '../index-port.js';
import {
  around,
  byAddress,
  bySize,
  type Clause,
  equalTo,
  inside,
  not,
  ofOrigin,
  ofType,
  startingAt,
  withAttribute,
} from './clauses.js';
import { readFirstLevel } from './first-level.js';
import { objectsOf, termsWith } from './load-documents.js';
import { type Reader, readPages } from './pages.js';
import { rangeOf, sameRange } from './ranges.js';
import { type Hit, searchHits, searchManyHits } from './search-hits.js';

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
  place: Omit<Reader, 'signal'>,
  type: ObjectTypeName,
  attribute: string,
  ranges: readonly Range[],
): Promise<(Nearest | undefined)[]> {
  const searches = ranges.map((range) => {
    const filter = [ofType(type), around(range), withAttribute(attribute)];
    return { filter, order: bySize, size: 1, documents: true };
  });
  const hits = await searchManyHits(place, searches);
  const nearest = hits.map(([smallest]) => smallest?._source);
  const distinct = new Map(nearest.flatMap((one) => (one ? [[one.key, one] as const] : [])));
  const values = await termsWith(place, distinct.values(), `${attribute}=`);
  return nearest.map((one) => one && { key: one.key, values: values.get(one.key) ?? [] });
}
