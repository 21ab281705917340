import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { Gauge } from 'prom-client';
import { isUnavailable, ServiceError } from './errors.js';
import type { Metrics } from './metrics.js';
import { parseTimestamp } from './parse-timestamp.js';

export interface PoolOptions {
  /** Connection URL (`postgres://user@host/db`, or with `?host=/socket/directory`). */
  url: string;
  /** Maximum number of connections. */
  max: number;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** The server cancels a statement that runs longer; waiting for a connection has the same limit. 0 means no limit. */
  statementTimeoutMs: number;
  /** Further settings of each session, for example `{ search_path: 'auth' }`. */
  sessionSettings?: Record<string, string>;
  /**
   * Whether transactions of this pool lock what others need: then the server ends one whose next statement does not come
   * within 1.5 s, because its process hangs. Default false.
   */
  locks?: boolean;
  /**
   * Sends a statement without waiting for the answers to earlier ones of its connection, so that several need one
   * exchange. Such a pool cannot do COPY. Default false.
   */
  pipeline?: boolean;
}

/** Margin after the server's own limit; past it the network must have failed. */
const networkMarginMs = 500;

/** Timeout of a new connection. */
const connectTimeoutMs = 1000;

/** How soon the server notices that the client of a running statement closed its connection. */
const connectionCheck = { client_connection_check_interval: '500ms' };

/** How soon the server ends a transaction of a process that hangs. */
const lockRelease = { idle_in_transaction_session_timeout: '1500ms' };

/** Makes a pool; it connects on first use. 64-bit integers become bigint. */
export function createPool(o: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: o.url,
    max: o.max,
    application_name: o.applicationName,
    Client: o.pipeline ? PipeliningClient : ConnectingInTime,
    connectionTimeoutMillis: o.statementTimeoutMs,
    keepAlive: true,
    pipeline: o.pipeline ?? false,
    types: { getTypeParser },
    ...(o.statementTimeoutMs > 0
      ? { statement_timeout: o.statementTimeoutMs, query_timeout: o.statementTimeoutMs + networkMarginMs }
      : {}),
    options: sessionOptions({ ...connectionCheck, ...(o.locks ? lockRelease : {}), ...o.sessionSettings }),
  });
  // The pool replaces a broken connection, and its query rejects; without a listener the process would also exit. The
  // pool listens to idle connections only, so those in use get their own listener.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** The pool passes its timeout for waiting on a busy connection to each client; this class sets the connect timeout. */
class ConnectingInTime extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: connectTimeoutMs });
  }
}

/** Sends all statements of one turn of the event loop by one system call. */
class PipeliningClient extends ConnectingInTime {
  private corked = false;

  override query(...statement: unknown[]): never {
    if (!this.corked) this.corkTurn();
    return super.query(...(statement as [string])) as never;
  }

  private corkTurn(): void {
    const { stream } = this.connection;
    this.corked = true;
    stream.cork();
    process.nextTick(() => {
      this.corked = false;
      stream.uncork();
    });
  }
}

/**
 * Runs single statements on behalf of a call. When the call ends first (deadline or cancellation), closes the
 * connection of its statement, and the server cancels the statement within half a second. `limitMs` limits each
 * statement, including the wait for a connection; past it the error is 'unavailable'.
 */
export function duringCall(
  pool: pg.Pool,
  call: { readonly signal: AbortSignal },
  limitMs?: number,
): Pick<pg.ClientBase, 'query'> {
  const query = (statement: pg.QueryConfig | string, values?: unknown[]) =>
    withConnection(pool, { signal: call.signal, limitMs }, (client) => client.query(statement, values));
  return { query: query as pg.ClientBase['query'] };
}

interface WorkOptions {
  readonly signal: AbortSignal | undefined;
  readonly limitMs?: number | undefined;
  /** Makes the connection usable again after failed work; without it the connection is closed. */
  readonly recover?: (client: pg.PoolClient) => Promise<unknown>;
}

/** Works on a connection until the signal or the limit; after `begunToEnd` is called, neither counts. */
async function withConnection<T>(
  pool: pg.Pool,
  { signal, limitMs, recover }: WorkOptions,
  work: (client: pg.PoolClient, begunToEnd: () => void) => Promise<T>,
): Promise<T> {
  const end = awaitEnd(signal, limitMs);
  const connecting = pool.connect();
  let client: pg.PoolClient | undefined;
  let broken = true;
  try {
    client = await Promise.race([connecting, end.reached]);
    const result = await Promise.race([work(client, end.forget), end.reached]);
    broken = false;
    return result;
  } catch (error) {
    if (client && recover && !end.isReached() && !isUnavailable(error)) {
      broken = await recover(client).then(
        () => false,
        () => true,
      );
    }
    throw error;
  } finally {
    end.forget();
    // A client that pipelines would wait for its statements before it closes.
    if (client && broken) client.connection.stream.destroy();
    if (client) client.release(broken);
    else connecting.then((late) => late.release()).catch(() => {});
  }
}

/** `reached` rejects when the signal is aborted or the time is up. */
function awaitEnd(signal: AbortSignal | undefined, limitMs: number | undefined) {
  const { promise: reached, reject } = Promise.withResolvers<never>();
  reached.catch(() => {}); // The racing caller handles it.
  let isReached = false;
  const end = (reason: unknown) => {
    isReached = true;
    reject(reason);
  };
  const abort = () => end(signal!.reason);
  const expire = () => {
    const cause = new Error(`the database did not respond within ${limitMs} ms`);
    end(new ServiceError('unavailable', 'Service temporarily unavailable', { cause }));
  };
  const timer = limitMs === undefined ? undefined : setTimeout(expire, limitMs);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  const forget = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  return { reached, isReached: () => isReached, forget };
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

const getTypeParser = ((oid: number, format?: 'text' | 'binary') => {
  if (format !== 'binary' && oid === pg.types.builtins.INT8) return BigInt;
  if (format !== 'binary' && oid === pg.types.builtins.TIMESTAMPTZ) return parseTimestamp;
  return pg.types.getTypeParser(oid, format as 'text');
}) as typeof pg.types.getTypeParser;

function sessionOptions(settings: Record<string, string>): string {
  const escaped = (value: string) => value.replace(/[\\ ]/g, '\\$&');
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${escaped(value)}`)
    .join(' ');
}

export interface TransactionOptions {
  /** Maximum number of retries of `fn`; default 5. */
  retries?: number;
  /** Isolation level; default: that of the server. */
  isolation?: 'read committed' | 'repeatable read' | 'serializable';
  /** Makes the transaction read-only; default false. */
  readOnly?: boolean;
  /** Aborting it before the commit begins rolls the transaction back and throws its reason. */
  signal?: AbortSignal;
}

/**
 * Sends the last statement of a transaction and its commit in one exchange: either the statement has its whole effect
 * and is committed, or nothing is. Returns what `last` returns. `fn` must not use its connection afterwards.
 */
export type CommitWith = <T>(last: () => Promise<T>) => Promise<T>;

/** Serialisation failure and deadlock: a retry may succeed. */
const retriedStates = new Set(['40001', '40P01']);

/**
 * Runs `fn` in one transaction and commits it; anything thrown rolls it back. Serialisation failures and deadlocks
 * (40001, 40P01) run `fn` again, so it must have no other effects. Of a pool with `pipeline` the transaction begins in
 * the same exchange as the first statements of `fn`. When `fn` ends, none of its statements may be under way (`together`).
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  fn: (client: pg.PoolClient, commitWith: CommitWith) => Promise<T>,
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

function once<T>(
  pool: pg.Pool,
  fn: (client: pg.PoolClient, commitWith: CommitWith) => Promise<T>,
  { isolation, readOnly, signal }: TransactionOptions,
): Promise<T> {
  const recover = (client: pg.PoolClient) => client.query('rollback');
  return withConnection(pool, { signal, recover }, async (client, begunToEnd) => {
    const level = isolation ? ` isolation level ${isolation}` : '';
    const begun = begin(client, `begin${level}${readOnly ? ' read only' : ''}`);
    if (!client.pipeline) await begun;
    let ended = false;
    const commitWith: CommitWith = async (last) => {
      begunToEnd();
      ended = true;
      if (client.pipeline) return (await together(last(), commit(client)))[0];
      const result = await last();
      await commit(client);
      return result;
    };
    const [result] = await Promise.all([fn(client, commitWith), begun]);
    if (!ended) {
      begunToEnd();
      await commit(client);
    }
    return result;
  });
}

/** Statements behind a `begin` that failed would run without a transaction, so it takes its connection with it. */
async function begin(client: pg.PoolClient, text: string): Promise<void> {
  try {
    await client.query(text);
  } catch (error) {
    client.connection.stream.destroy();
    throw error;
  }
}

/** PostgreSQL answers a commit after a failed statement by a rollback, without an error. */
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('commit');
  if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`);
}

/**
 * Waits until all have ended, then returns their results or throws the first error: unlike `Promise.all` it leaves no
 * statement under way on a connection that others use next.
 */
export async function together<T extends readonly unknown[]>(
  ...work: { readonly [at in keyof T]: Promise<T[at]> }
): Promise<T> {
  const ended = await Promise.allSettled(work);
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return ended.map((one) => (one as PromiseFulfilledResult<unknown>).value) as unknown as T;
}

/**
 * Runs `fn` in one transaction on a connection that the caller owns, for example because it holds a session lock.
 * Unlike `inTransaction` it does not retry.
 */
export async function inTransactionOn<T>(client: pg.ClientBase, fn: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await fn();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {}); // the connection broke, which ended the transaction
    throw error;
  }
}
