import type { SearchedSource, Space } from '@cadastre/query';
import { isNonAuthoritative, type ObjectTypeName } from '@cadastre/rpsl';
import { withSteps } from '@cadastre/service';
import { isMatch } from '../document.js';
import type { IndexedObject, IndexReads, TypeQuery } from '../index-port.js';
import type { QueryPlan } from '../query/plan.js';
import { type Found, found } from './found.js';
import type { PrimaryPosition } from './position.js';
import { inverseQueries } from './resolve-inverse.js';

/** The objects that a search finds in one source. */
export interface SourceResult {
  /** The serial of the index that the first page shows. */
  readonly serial: bigint;
  readonly pages: AsyncIterable<readonly Found[]>;
}

/**
 * Searches one source, in the order of types, from its start or from a position, before which objects may be missing;
 * undefined without an index of the source.
 */
export async function primaryObjects(
  index: IndexReads,
  source: SearchedSource,
  { search, leavesOut }: Pick<QueryPlan, 'search' | 'leavesOut'>,
  signal: AbortSignal,
  from?: PrimaryPosition,
): Promise<SourceResult | undefined> {
  const all = search.kind === 'direct' ? search.queries : await inverseQueries(index, source.store, search);
  const queries = from === undefined ? all : queriesFrom(all, from);
  const matches = await index.query(source.store, queries, signal);
  if (matches === undefined) return undefined;
  const queryOf = new Map(queries.map((query) => [query.type, query]));
  // A generator would do the same with several more promises for each page.
  const pages: AsyncIterable<readonly Found[]> = withSteps(matches.pages, async (iterator) => {
    const step = await iterator.next();
    return step.done ? step : { done: false, value: objectsOf(step.value, queryOf, source, leavesOut) };
  });
  return { serial: matches.serial, pages };
}

/** The queries without those of the types before the position. */
function queriesFrom(queries: readonly TypeQuery[], { type, key, range }: PrimaryPosition): readonly TypeQuery[] {
  const at = queries.findIndex((query) => query.type === type);
  if (at === -1) return queries;
  const query = queries[at]!;
  const from = { key, ...(range && { range: { ...range, space: spaceOf(query) } }) };
  return [{ ...query, from }, ...queries.slice(at + 1)];
}

function spaceOf(query: TypeQuery): Space {
  if ('range' in query) return query.range.space;
  return query.type === 'inet6num' || query.type === 'route6' ? 'ipv6' : 'ipv4';
}

function objectsOf(
  page: readonly IndexedObject[],
  queryOf: ReadonlyMap<ObjectTypeName, TypeQuery>,
  { store, part }: SearchedSource,
  leavesOut: QueryPlan['leavesOut'],
): Found[] {
  const objects: Found[] = [];
  for (const stored of page) {
    const one = found(stored);
    if (one === undefined || !isMatch(one, queryOf.get(stored.type))) continue;
    if (part !== undefined && isNonAuthoritative(one.object, store) !== (part === 'non-authoritative')) continue;
    if (!leavesOut?.(one)) objects.push(one);
  }
  return objects;
}
