import {
  type Compared,
  type Filtered,
  type InverseQuery,
  type ListFilter,
  maxFiltered,
  neededBy,
  type QueryPosition,
} from '../index-port.js';
import { hasWords } from '../list-filter.js';
import { byAddress, byKey, digits, fromDigits, matching } from './clauses.js';
import { knownObjects } from './load-documents.js';
import { type Hit, type Reader, searchHits } from './search-hits.js';

/** Objects of a request. */
const size = 1_000;

type Passed = Filtered['passed'][number];

/** Compares what inverse queries find with a filter (`SearchIndex.filter`): the cluster returns no documents. */
export async function filterList(
  reader: Reader,
  queries: readonly InverseQuery[],
  filter: ListFilter & { readonly limit: number },
): Promise<Omit<Filtered, 'serial'>> {
  const passed: Passed[] = [];
  let compared = 0;
  const needed = neededBy(queries);
  if (needed !== undefined && !(await knownObjects(reader, needed)).includes(true)) return { passed, compared };
  for (const query of queries) {
    for await (const hit of hitsOf(reader, query)) {
      compared++;
      const one = comparedOf(query, hit);
      if (passes(filter, one, hit)) passed.push({ ...one, compared });
      if (passed.length === filter.limit || compared === maxFiltered) return { passed, compared, last: one };
    }
  }
  return { passed, compared };
}

/** All hits of a query after its `from`, in its order. */
async function* hitsOf(reader: Reader, query: InverseQuery): AsyncGenerator<Hit> {
  const order = isByAddress(query) ? byAddress : byKey;
  let after = query.from && sortOf(query, query.from);
  for (;;) {
    const hits: readonly Hit[] = await searchHits(reader, {
      filter: [matching(query)],
      order,
      size,
      documents: false,
      values: ['key', 'called', 'descr', 'space', 'first', 'last'],
      ...(after && { after }),
    });
    yield* hits;
    if (hits.length < size) return;
    after = hits.at(-1)!.sort;
  }
}

function isByAddress(query: InverseQuery): boolean {
  return query.kind === 'terms' && query.order === 'address';
}

/** The sort values of a position. The key of a route ends with its origin. */
function sortOf(query: InverseQuery, { key, range }: QueryPosition): Hit['sort'] | undefined {
  if (!isByAddress(query)) return [key];
  const origin = query.type === 'route' || query.type === 'route6' ? /as\d+$/.exec(key)?.[0] : undefined;
  return range && [digits(range.first), digits(range.last), origin ?? '', key];
}

function comparedOf({ type }: InverseQuery, { fields }: Hit): Compared {
  const [key, first, last] = [fields?.key?.[0] ?? '', fields?.first?.[0], fields?.last?.[0]];
  if (first === undefined || last === undefined) return { type, key };
  return { type, key, range: { first: fromDigits(first), last: fromDigits(last) } };
}

function passes(filter: ListFilter, one: Compared, { fields }: Hit): boolean {
  const { range } = filter;
  const overlaps = range && one.range && range.first <= one.range.last && one.range.first <= range.last;
  if (overlaps && fields?.space?.[0] === range.space) return true;
  return hasWords(filter, one, fields?.called?.[0] ?? fields?.descr?.[0] ?? '');
}
