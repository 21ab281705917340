import type { Db } from './stored-object.js';

/** Refreshes statistics and the index of references after many changes. */
export async function refreshStatistics(db: Db): Promise<void> {
  await db.query(`select gin_clean_pending_list('object_refs')`);
  await db.query('analyze object, version, change, handle');
}
