import type pg from 'pg';
import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';
import { readInBackground } from './read-in-background.js';

interface Archive {
  readonly failing: boolean;
}

/** No row while PostgreSQL archives no WAL. */
const archiveQuery = `
  select last_failed_time > coalesce(last_archived_time, '-infinity') is true as failing
  from pg_stat_archiver where current_setting('archive_mode') <> 'off'`;

/** Registers `cadastre_wal_archive_failing`, without a sample while the server archives no WAL. */
export function reportWalArchive(metrics: Metrics, pool: Pick<pg.Pool, 'query'>): void {
  const archive = readInBackground<Archive>(pool, archiveQuery);
  new Gauge({
    name: 'cadastre_wal_archive_failing',
    help: 'Whether the last attempt of PostgreSQL to archive WAL failed: 1 or 0',
    registers: [metrics],
    collect() {
      this.remove();
      for (const { failing } of archive()) this.set(failing ? 1 : 0);
    },
  });
}
