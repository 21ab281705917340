import type { Db } from './stored-object.js';

/**
 * Locks the row of a source until the transaction ends, as every writer does first: so writes commit one after the
 * other, and a later statement of the transaction reads the state at its commit. A statement that locks the row and
 * also reads would not see what was committed while it waited.
 */
export async function lockSource(db: Db, sourceId: number): Promise<void> {
  await db.query({
    name: 'lock-source',
    text: 'select from source where id = $1 for update',
    values: [sourceId],
  });
}

/**
 * Locks the row of a source for a load. PostgreSQL ends one that waits ten seconds for its next statement, because its process hangs.
 */
export async function lockSourceAlone(db: Db, sourceId: number): Promise<void> {
  await db.query(
    `select set_config('idle_in_transaction_session_timeout', '10s', true) from source where id = $1 for update`,
    [sourceId],
  );
}

/** First number of the two-number advisory lock of a load. */
const loadLockClass = 2;

/** Acquires the load lock of a source for the lifetime of the connection; false when another load has it. */
export async function tryLockLoad(db: Db, sourceId: number): Promise<boolean> {
  const { rows } = await db.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', [
    loadLockClass,
    sourceId,
  ]);
  return rows[0]!.taken;
}

/** Releases the load lock. */
export async function unlockLoad(db: Db, sourceId: number): Promise<void> {
  await db.query('select pg_advisory_unlock($1, $2)', [loadLockClass, sourceId]);
}
