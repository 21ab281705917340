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

/** Reads the objects of a search page by page, until there are `wanted` rows. The search must remain the same. */
export function useRows(query: Query, wanted: number): RowReading {
  const [{ rows, next, error }, setRead] = useState<Read>({ rows: [], next: {} });
  const isReading = next !== undefined && error === undefined && rows.length < wanted;
  useEffect(() => {
    if (!isReading) return;
    const unwanted = new AbortController();
    const limit = Math.min(wanted - rows.length, largestPage);
    search({ ...query, ...next, limit }, unwanted.signal).then(
      (found) => setRead({ rows: [...rows, ...found.objects.map(rowOf)], next: found.next }),
      (failure) => unwanted.signal.aborted || setRead({ rows, next, error: failure }),
    );
    return () => unwanted.abort();
  }, [rows, error, wanted]);
  const retry = () => setRead({ rows, next });
  return { rows, isComplete: next === undefined, isReading, error, retry };
}

interface Read {
  readonly rows: readonly Row[];
  /** Undefined at the end. */
  readonly next: NextPage | undefined;
  readonly error?: unknown;
}
