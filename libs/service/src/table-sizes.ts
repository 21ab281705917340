import type pg from 'pg';
import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';
import { readInBackground } from './read-in-background.js';

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
