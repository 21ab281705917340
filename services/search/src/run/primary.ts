import type { IndexedObject, SearchIndex } from '../index-port.js';
import type { Search } from '../query/plan.js';
import { type Found, found } from './found.js';
import { mergeByKey } from './merge-by-key.js';
import { inverseQueries, type TypeSearch } from './resolve-inverse.js';

/** The objects that a search finds in one source, page by page, in the order of types. */
export async function* primaryObjects(
  index: SearchIndex,
  source: string,
  search: Search,
  signal: AbortSignal,
): AsyncGenerator<readonly Found[]> {
  const searches: readonly TypeSearch[] =
    search.kind === 'direct' ? search.queries.map((query) => [query]) : await inverseQueries(index, source, search);
  for (const one of searches) {
    for await (const page of matches(index, source, one, signal)) {
      yield page.flatMap((stored) => found(stored, false) ?? []);
    }
  }
}

function matches(
  index: SearchIndex,
  source: string,
  [first, ...others]: TypeSearch,
  signal: AbortSignal,
): AsyncIterable<readonly IndexedObject[]> {
  const none = (async function* () {})();
  if (first === undefined) return none;
  return others.reduce<AsyncIterable<readonly IndexedObject[]>>(
    (merged, query) => mergeByKey(merged, index.query(source, query, signal)),
    index.query(source, first, signal),
  );
}
