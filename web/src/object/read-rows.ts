import { useEffect, useState } from 'preact/hooks';
import { type NextPage, type Query, search } from '../api/search.js';
import { type Row, rowOf } from './object-rows.js';

/** The rows of a search so far. */
export interface RowReading {
  readonly rows: readonly Row[];
  /** Whether there are no more. */
  readonly isComplete: boolean;
  readonly isReading: boolean;
  /** Why the next page could not be read. */
  readonly error?: unknown;
  /** Reads that page again. */
  readonly retry: () => void;
}

const largestPage = 500;

/** Reads the objects of a search page by page, until there are `count` rows. The search must remain the same. */
export function useRows(query: Query, count: number): RowReading {
  const [{ rows, next, error }, setRead] = useState<Read>({ rows: [], next: {} });
  const isReading = next !== undefined && error === undefined && rows.length < count;
  useEffect(() => {
    if (!isReading) return;
    const controller = new AbortController();
    const limit = Math.min(count - rows.length, largestPage);
    search({ ...query, ...next, limit }, controller.signal).then(
      (found) => setRead({ rows: [...rows, ...found.objects.map(rowOf)], next: found.next }),
      (failure) => controller.signal.aborted || setRead({ rows, next, error: failure }),
    );
    return () => controller.abort();
  }, [rows, error, count]);
  const retry = () => setRead({ rows, next });
  return { rows, isComplete: next === undefined, isReading, error, retry };
}

interface Read {
  readonly rows: readonly Row[];
  /** Undefined at the end. */
  readonly next: NextPage | undefined;
  readonly error?: unknown;
}
