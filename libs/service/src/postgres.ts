import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';

export interface PoolOptions {
  /** Connection URL (`postgres://user@host/db`, or with `?host=/socket/directory`). */
  url: string;
  /** Most connections at once. */
  max: number;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** The server ends a statement that runs longer; connecting may take as long. 0 means no limit. */
  statementTimeoutMs: number;
  /** Further settings of each session, for example `{ search_path: 'auth' }`. */
  sessionSettings?: Record<string, string>;
}

/** How much later than the server's own limit we stop waiting: then it is the network that is gone. */
const networkMarginMs = 2000;

/** Makes a pool; it connects when first used. 64-bit integers come as bigint. */
export function createPool(o: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: o.url,
    max: o.max,
    application_name: o.applicationName,
    connectionTimeoutMillis: o.statementTimeoutMs,
    keepAlive: true,
    types: { getTypeParser },
    ...(o.statementTimeoutMs > 0
      ? { statement_timeout: o.statementTimeoutMs, query_timeout: o.statementTimeoutMs + networkMarginMs }
      : {}),
    ...(o.sessionSettings ? { options: sessionOptions(o.sessionSettings) } : {}),
  });
  // A connection that breaks is replaced, and the query that it broke rejects; without a listener it would also end
  // the process. The pool listens to idle connections only, so those in use get a listener of their own.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Registers `cadastre_postgres_connections` of all pools of a service, with their application names as label `pool`. */
export function reportPools(metrics: Metrics, pools: readonly pg.Pool[]): void {
  new Gauge({
    name: 'cadastre_postgres_connections',
    help: 'Connections to PostgreSQL that are busy and idle, and statements waiting for one',
    labelNames: ['pool', 'state'],
    registers: [metrics],
    collect() {
      for (const { options, totalCount, idleCount, waitingCount } of pools) {
        const pool = options.application_name!;
        this.set({ pool, state: 'busy' }, totalCount - idleCount);
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'waiting' }, waitingCount);
      }
    },
  });
}

const getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 && format !== 'binary'
    ? BigInt
    : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser;

function sessionOptions(settings: Record<string, string>): string {
  const escaped = (value: string) => value.replace(/[\\ ]/g, '\\$&');
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${escaped(value)}`)
    .join(' ');
}

export interface TransactionOptions {
  /** How often at most `fn` is run again; 5 unless told. */
  retries?: number;
  /** Isolation level; the server's default unless told. */
  isolation?: 'read committed' | 'repeatable read' | 'serializable';
}

/** Serialisation failure and deadlock: the transaction may succeed when run again. */
const retriedStates = new Set(['40001', '40P01']);

/**
 * Runs `fn` in one transaction and commits it; anything thrown rolls it back. Serialisation failures and deadlocks
 * (40001, 40P01) run `fn` again, so it must have no other effects.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  fn: (client: pg.PoolClient) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const retries = options.retries ?? 5;
  for (let failed = 0; ; failed++) {
    try {
      return await once(pool, fn, options);
    } catch (error) {
      if (failed === retries || !retriedStates.has((error as { code?: string } | null)?.code ?? '')) throw error;
      await delay(Math.random() * 5 * 2 ** failed);
    }
  }
}

async function once<T>(
  pool: pg.Pool,
  fn: (client: pg.PoolClient) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const client = await pool.connect();
  let broken: unknown;
  try {
    await client.query(options.isolation ? `begin isolation level ${options.isolation}` : 'begin');
    const result = await fn(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((rollbackError) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    // A connection that cannot even roll back is closed instead of being handed out again.
    client.release(broken !== undefined);
  }
}
