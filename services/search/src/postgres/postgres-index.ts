import { createPool, type Metrics, reportPools } from '@cadastre/service';
import type { SearchIndex } from '../index-port.js';
import { applyBatch, readEntry, readPosition } from './catalogue.js';
import { keyedSearch } from './keyed-search.js';
import { loadObjects } from './load.js';
import { rangeSearch } from './range-search.js';
import { createReader } from './reader.js';
import { beginRebuild } from './rebuild.js';

export interface PostgresIndexOptions {
  /** URL of a migrated database in which this service may make tables. */
  readonly url: string;
  /** Most connections for queries at once. */
  readonly connections: number;
  /** The server ends a statement of a query that takes longer. */
  readonly statementTimeoutMs: number;
  readonly metrics?: Metrics;
}

/** Batches and rebuilds: one of each source at a time, so a few connections do. */
const writers = 4;

/** The index in PostgreSQL: nothing more to install. */
export function createPostgresIndex(o: PostgresIndexOptions): SearchIndex {
  const { url, connections: max, statementTimeoutMs, metrics } = o;
  const readPool = createPool({ url, max, applicationName: 'cadastre search', statementTimeoutMs });
  const writePool = createPool({
    url,
    max: writers,
    applicationName: 'cadastre search indexer',
    statementTimeoutMs: 0,
  });
  if (metrics) reportPools(metrics, [readPool, writePool]);
  const reader = createReader(readPool);
  return {
    start: async () => {
      await readPool.query('select 1 from source_index limit 1');
    },
    stop: async () => {
      await Promise.all([readPool.end(), writePool.end()]);
    },
    check: async () => {
      await readPool.query('select 1 from source_index limit 1');
    },
    position: (source) => readPosition(readPool, source),
    apply: (source, batch) => applyBatch(writePool, source, batch),
    async *query(source, query, signal) {
      const pages =
        query.kind === 'range' || query.kind === 'covering'
          ? rangeSearch(reader, source, query)
          : keyedSearch(reader, source, query);
      signal.throwIfAborted();
      for await (const page of pages) {
        yield page;
        signal.throwIfAborted();
      }
    },
    load: (ids) => loadObjects(reader, ids),
    beginRebuild: (source) => beginRebuild(writePool, source),
    count: async (source) => (await readEntry(readPool, source))?.objects ?? 0n,
  };
}
