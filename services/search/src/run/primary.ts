import { isNonAuthoritative, type ObjectTypeName, type RpslObject } from '@cadastre/rpsl';
import type { IndexedObject, IndexReads, TypeQuery } from '../index-port.js';
import type { Search, SearchedSource } from '../query/plan.js';
import { type Found, found } from './found.js';
import { isMatch } from './is-match.js';
import { mapped } from './pages.js';
import { inverseQueries } from './resolve-inverse.js';

/** The objects that a search finds in one source. */
export interface SourceResult {
  /** The serial of the index that the first page shows. */
  readonly serial: bigint;
  readonly pages: AsyncIterable<readonly Found[]>;
}

/** Searches one source, in the order of types; undefined without an index of the source. */
export async function primaryObjects(
  index: IndexReads,
  source: SearchedSource,
  search: Search,
  signal: AbortSignal,
): Promise<SourceResult | undefined> {
  const queries = search.kind === 'direct' ? search.queries : await inverseQueries(index, source.store, search);
  const matches = await index.query(source.store, queries, signal);
  if (matches === undefined) return undefined;
  const queryOf = new Map(queries.map((query) => [query.type, query]));
  return { serial: matches.serial, pages: mapped(matches.pages, (page) => objectsOf(page, queryOf, source)) };
}

function objectsOf(
  page: readonly IndexedObject[],
  queryOf: ReadonlyMap<ObjectTypeName, TypeQuery>,
  { store, part }: SearchedSource,
): Found[] {
  const objects: Found[] = [];
  for (const stored of page) {
    const one = found(stored, false);
    if (one === undefined || !isMatch(one, queryOf.get(stored.type))) continue;
    if (part === undefined || partOf(one.object, store) === part) objects.push(one);
  }
  return objects;
}

function partOf(object: RpslObject, main: string): SearchedSource['part'] {
  return isNonAuthoritative(object, main) ? 'non-authoritative' : 'authoritative';
}
