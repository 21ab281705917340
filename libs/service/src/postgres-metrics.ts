import type pg from 'pg';
import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';

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

interface TableSize {
  readonly table: string;
  readonly rows: number;
  readonly heap: number;
  readonly toast: number;
  readonly indexes: number;
}

/**
 * The tables of the pool's schema with their sizes in bytes, and the number of rows at the last `analyze`. Partitions
 * count as their table, and `document_7` counts as `document`. Reads only the catalogue and the lengths of files.
 */
const sizesQuery = `
  select regexp_replace(coalesce(root.relname, c.relname), '_[0-9]+$', '') as "table",
    sum(greatest(c.reltuples, 0))::float8 as rows,
    sum(pg_relation_size(c.oid))::float8 as heap,
    sum(pg_table_size(c.oid) - pg_relation_size(c.oid))::float8 as toast,
    sum(pg_indexes_size(c.oid))::float8 as indexes
  from pg_class c left join pg_class root on root.oid = pg_partition_root(c.oid)
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
  group by 1`;

/** Registers `cadastre_table_bytes` and `cadastre_table_rows`. */
export function reportTableSizes(metrics: Metrics, pool: Pick<pg.Pool, 'query'>): void {
  const sizes = readInBackground<TableSize>(pool, sizesQuery);
  new Gauge({
    name: 'cadastre_table_bytes',
    help: 'Bytes on disk of a table: its rows (heap), long values (toast) and indexes',
    labelNames: ['table', 'part'],
    registers: [metrics],
    collect() {
      this.reset();
      for (const { table, heap, toast, indexes } of sizes()) {
        this.set({ table, part: 'heap' }, heap);
        this.set({ table, part: 'toast' }, toast);
        this.set({ table, part: 'indexes' }, indexes);
      }
    },
  });
  new Gauge({
    name: 'cadastre_table_rows',
    help: 'Rows of a table when PostgreSQL last counted them',
    labelNames: ['table'],
    registers: [metrics],
    collect() {
      this.reset();
      for (const { table, rows } of sizes()) this.set({ table }, rows);
    },
  });
}

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
