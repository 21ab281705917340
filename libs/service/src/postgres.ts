import type pg from 'pg';

export interface PoolOptions {
  /** Connection URL (`postgres://user@host/db`, or with `?host=/socket/directory`). */
  url: string;
  /** Most connections at once. */
  max: number;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** The server ends a statement that runs longer. */
  statementTimeoutMs: number;
  /** Further settings of each session, for example `{ search_path: 'auth' }`. */
  sessionSettings?: Record<string, string>;
}

/** Makes a pool; it connects when first used. 64-bit integers come as bigint. */
export function createPool(_o: PoolOptions): pg.Pool {
  throw new Error('not written yet');
}

/**
 * Runs `fn` in one transaction and commits it; anything thrown rolls it back. Serialisation failures and deadlocks
 * (40001, 40P01) run `fn` again, at most `retries` times (5 unless told), so it must have no other effects.
 */
export async function inTransaction<T>(
  _pool: pg.Pool,
  _fn: (client: pg.PoolClient) => Promise<T>,
  _options: { retries?: number; isolation?: 'read committed' | 'repeatable read' | 'serializable' } = {},
): Promise<T> {
  throw new Error('not written yet');
}
