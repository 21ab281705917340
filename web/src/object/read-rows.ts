import { useEffect, useState } from 'preact/hooks';
import { type NextPage, type Query, search } from '../api/search.js';
import { type Row, rowOf } from './object-rows.js';

/** The rows of a search so far. While the first ones of another filter are read, those of the last one. */
export interface RowReading {
  readonly rows: readonly Row[];
  /** How many objects the filter has compared for them. */
  readonly compared: number;
  /** Whether there are no more. */
  readonly isComplete: boolean;
  readonly isReading: boolean;
  /** Why the next page could not be read. */
  readonly error?: unknown;
  /** Reads that page again. */
  readonly retry: () => void;
}

const largestPage = 500;

/**
 * Reads the objects of a search page by page, until there are `count` rows, or its filter has compared `maxCompared`
 * objects. The search must remain the same, except its filter.
 */
export function useRows(query: Query, count: number, maxCompared: number): RowReading {
  const { contains = '' } = query;
  const [last, setLast] = useState<Read>(() => begin(contains));
  const { rows, compared, next, error } = last.contains === contains ? last : begin(contains);
  const isReading = next !== undefined && error === undefined && rows.length < count && compared < maxCompared;
  useEffect(() => {
    if (!isReading) return;
    const controller = new AbortController();
    const limit = Math.min(count - rows.length, largestPage);
    search({ ...query, ...next, limit }, controller.signal).then(
      (found) =>
        setLast({
          contains,
          rows: [...rows, ...found.objects.map(rowOf)],
          compared: compared + found.compared,
          next: found.next,
        }),
      (failure) => controller.signal.aborted || setLast({ contains, rows, compared, next, error: failure }),
    );
    return () => controller.abort();
  }, [last, contains, count, maxCompared]);
  const retry = () => setLast({ contains, rows, compared, next });
  return { rows: last.rows, compared: last.compared, isComplete: last.next === undefined, isReading, error, retry };
}

interface Read {
  /** The filter; empty for none. */
  readonly contains: string;
  readonly rows: readonly Row[];
  readonly compared: number;
  /** Undefined at the end. */
  readonly next: NextPage | undefined;
  readonly error?: unknown;
}

function begin(contains: string): Read {
  return { contains, rows: [], compared: 0, next: {} };
}
