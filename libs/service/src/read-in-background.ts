import type pg from 'pg';

/** These values change slowly, and several systems may read them. */
const maxAgeMs = 60_000;

/**
 * The rows of a query, for metrics: a scrape gets the cached rows and never waits for the database. If they are older
 * than a minute, it starts to read them again. No rows before the first read, and while the database fails.
 */
export function readInBackground<T extends pg.QueryResultRow>(
  pool: Pick<pg.Pool, 'query'>,
  query: string,
): () => readonly T[] {
  let known: readonly T[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - readAt >= maxAgeMs) {
      readAt = performance.now();
      pool.query<T>(query).then(
        ({ rows }) => {
          known = rows;
        },
        // The database is unavailable, which other metrics show.
        () => {
          known = [];
        },
      );
    }
    return known;
  };
}
