import { isNonAuthoritative, type RpslObject } from '@cadastre/rpsl';
import type { IndexReads, Matches, TypeQuery } from '../index-port.js';
import type { Search, SearchedSource } from '../query/plan.js';
import { type Found, found } from './found.js';
import { isMatch } from './is-match.js';
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
  return matches && { serial: matches.serial, pages: objectsOf(matches, queries, source) };
}

async function* objectsOf(
  { pages }: Matches,
  queries: readonly TypeQuery[],
  { store, part }: SearchedSource,
): SourceResult['pages'] {
  const queryOf = new Map(queries.map((query) => [query.type, query]));
  for await (const page of pages) {
    const all = page
      .flatMap((stored) => found(stored, false) ?? [])
      .filter((one) => isMatch(one, queryOf.get(one.stored.type)));
    yield part === undefined ? all : all.filter(({ object }) => partOf(object, store) === part);
  }
}

function partOf(object: RpslObject, main: string): SearchedSource['part'] {
  return isNonAuthoritative(object, main) ? 'non-authoritative' : 'authoritative';
}
