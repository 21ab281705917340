import {
  type Filtered,
  type IndexReads,
  type InverseQuery,
  type ListFilter,
  maximalPage,
  type SearchIndex,
} from '../index-port.js';

/** What a filter has compared for a page. */
export type FilterOutcome = Pick<Filtered, 'compared' | 'last'>;

/** The index for a search with a filter. */
export interface FilteredReads extends IndexReads {
  /** That of the last query, whose pages are one; undefined before it. */
  outcome(): FilterOutcome | undefined;
}

/** An index whose queries find what passes a filter: at most `limit` objects, and as many as one load returns. */
export function filteredReads(
  index: IndexReads & Pick<SearchIndex, 'filter'>,
  filter: ListFilter,
  limit = maximalPage,
): FilteredReads {
  let outcome: FilterOutcome | undefined;
  return {
    ...index,
    outcome: () => outcome,
    async query(source, queries, signal) {
      const wanted = { ...filter, limit: Math.min(limit, maximalPage) };
      // Only inverse searches have a filter.
      const filtered = await index.filter(source, queries as readonly InverseQuery[], wanted, signal);
      if (filtered === undefined) return undefined;
      const ids = filtered.passed.map(({ type, key }) => ({ source, type, key }));
      const { objects, later } = await index.load(ids);
      const end = later.length > 0 ? filtered.passed[ids.length - later.length - 1] : undefined;
      outcome = end ? { compared: end.compared, last: end } : filtered;
      return { serial: filtered.serial, pages: onePage(objects) };
    },
  };
}

async function* onePage<T>(objects: readonly T[]): AsyncGenerator<readonly T[]> {
  if (objects.length > 0) yield objects;
}
