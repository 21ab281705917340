import {
  type Logger,
  type Metrics,
  openDatabase,
  openReplica,
  readPrimary,
  readReplica,
  reportPools,
  reportTableSizes,
} from '@cadastre/service';
import type { SearchIndex } from '../index-port.js';
import { applyBatch, indexStates, readEntry, readPosition } from './catalogue.js';
import { createCommonTerms } from './common-terms.js';
import { countByType } from './count-by-type.js';
import { knownObjects, loadObjects } from './load.js';
import { countNames, searchNames } from './name-search.js';
import { createQueryRunner } from './query-runner.js';
import { nearestWith } from './range-search.js';
import { createReader } from './reader.js';
import { beginRebuild } from './rebuild.js';
import { holdings, spansInside } from './spans.js';
import { readState } from './stored-rebuild.js';
import { suggest } from './suggest.js';
import { searchWords } from './word-search.js';

export interface PostgresIndexOptions {
  /** URL of a migrated database in which this service may create tables. */
  readonly url: string;
  /** Maximum number of connections for queries, to the database and to its read replicas each. */
  readonly connections: number;
  /** Read replicas of the database, which answer queries if they are current. */
  readonly replicas?: { readonly url: string; readonly logger: Logger } | undefined;
  readonly metrics?: Metrics;
}

/** Batches are short, so those of several sources wait for each other. */
const batchConnections = 2;

/** Rebuilds at the same time; each keeps its connection. */
const rebuildConnections = 2;

/**
 * No query needs to read all objects: a plan for a small table stays good when the table grows. PostgreSQL would plan
 * each statement for five sets of values before it makes the plan for all, and compile what it expects to take long.
 */
export const sessionSettings = { enable_seqscan: 'off', plan_cache_mode: 'force_generic_plan', jit: 'off' };

/**
 * A rebuild builds the indexes of full tables. It need not wait for the disk: a crash takes back a switch to tables that
 * are not on disk.
 */
const buildSettings = { maintenance_work_mem: '256MB', synchronous_commit: 'off' };

/** PostgreSQL cancels a query that takes longer. */
const statementTimeoutMs = 10_000;

/** The index in PostgreSQL, which needs no further software. */
export function createPostgresIndex(o: PostgresIndexOptions): SearchIndex {
  const { url, connections: max, replicas, metrics } = o;
  const database = openDatabase(url);
  const reads = { max, statementTimeoutMs, sessionSettings };
  const readPool = database.createPool({ ...reads, applicationName: 'cadastre search' });
  const applyPool = database.createPool({
    max: batchConnections,
    applicationName: 'cadastre search indexer',
    statementTimeoutMs: 0,
    sessionSettings,
    locks: true,
  });
  const rebuildPool = database.createPool({
    max: rebuildConnections,
    applicationName: 'cadastre search rebuild',
    statementTimeoutMs: 0,
    sessionSettings: buildSettings,
  });
  const generations = new Map<string, number>();
  const current = replicas && {
    primary: readPool,
    positions: database.createPool({ max: 1, applicationName: 'cadastre search positions', statementTimeoutMs }),
    writes: applyPool,
    replica: openReplica(replicas.url).createPool({
      ...reads,
      applicationName: 'cadastre search replica',
      pipeline: true,
    }),
  };
  const pools = [readPool, applyPool, rebuildPool, ...(current ? [current.positions, current.replica] : [])];
  if (metrics) {
    reportPools(metrics, pools);
    reportTableSizes(metrics, readPool);
  }
  const readCurrent = current
    ? readReplica({ ...current, states: indexStates, logger: replicas.logger, metrics })
    : readPrimary(readPool);
  const reader = createReader(readPool, readCurrent);
  const runQueries = createQueryRunner({ reader, commonTerms: createCommonTerms(reader), connections: max });
  return {
    start: async () => {
      await readPool.query('select 1 from format_index limit 1');
    },
    stop: async () => {
      await Promise.all(pools.map((pool) => pool.end()));
    },
    check: async () => {
      await database.check();
      await readPool.query('select 1 from format_index limit 1');
    },
    position: (source) => readPosition(readPool, source),
    apply: async (source, batch) => {
      generations.set(source, await applyBatch(applyPool, source, batch, generations.get(source)));
    },
    query: runQueries,
    countByType: (source, queries, signal) => countByType(reader.during({ signal }), source, queries),
    searchWords: (source, query, signal) => searchWords(reader.during({ signal }), source, query),
    searchNames: (source, query, signal) => searchNames(reader.during({ signal }), source, query),
    countNames: (source, named, signal) => countNames(reader.during({ signal }), source, named),
    suggest: (source, beginning, signal) => suggest(reader.during({ signal }), source, beginning),
    spansInside: (source, query, signal) => spansInside(reader.during({ signal }), source, query),
    holdings: (source, query, signal) => holdings(reader.during({ signal }), source, query),
    nearestWith: (source, type, _mntIrt, ranges) => nearestWith(reader, source, type, ranges),
    load: (ids) => loadObjects(reader, ids),
    known: (ids) => knownObjects(reader, ids),
    beginRebuild: (source, newest, options) => beginRebuild(rebuildPool, source, newest, options),
    rebuildState: (source) => readState(applyPool, source),
    count: async (source) => (await readEntry(readPool, source))?.objects ?? 0n,
  };
}
