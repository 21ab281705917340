import { ServiceError } from '@cadastre/service';
import type pg from 'pg';
import { tryLockLoad, unlockLoad } from '../store/locks.js';
import type { Source } from '../store/sources.js';

/** The load lock of a source, on a connection of its own. */
export interface LoadLock {
  readonly client: pg.PoolClient;
  release(): Promise<void>;
}

/**
 * Acquires the load lock of a source, which loads and mirrors hold: one at a time. Errors: ServiceError of the kind
 * `taken` when another one has it.
 */
export async function takeLoadLock(
  pool: pg.Pool,
  source: Source,
  taken: 'conflict' | 'unavailable' = 'conflict',
): Promise<LoadLock> {
  const client = await pool.connect();
  try {
    if (!(await tryLockLoad(client, source.id))) {
      throw new ServiceError(taken, `Another load of ${source.name} is running`);
    }
  } catch (error) {
    client.release(!(error instanceof ServiceError));
    throw error;
  }
  return {
    client,
    async release() {
      // If the unlock fails, close the connection: that releases the lock, too.
      const free = await unlockLoad(client, source.id).then(
        () => true,
        () => false,
      );
      client.release(!free);
    },
  };
}
