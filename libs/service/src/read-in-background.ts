import type pg from 'pg';

/** What such metrics show changes slowly, and several systems may read them. */
const maxAgeMs = 60_000;

/**
 * The rows of a query, for metrics: a scrape gets those that are known and never waits for the database. If they are
 * older than a minute, it starts to read them again. None before the first reading, and while the database fails.
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
        // The database is unavailable, which other metrics tell.
        () => {
          known = [];
        },
      );
    }
    return known;
  };
}
