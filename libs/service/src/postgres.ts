import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { Gauge } from 'prom-client';
import { isUnavailable, ServiceError } from './errors.js';
import type { Metrics } from './metrics.js';

/**
 * Runs single statements on behalf of a call. When the call ends first (deadline or cancellation), closes the
 * connection of its statement, and the server cancels the statement within half a second. `limitMs` limits each
 * statement, including the wait for a connection; after that the error is 'unavailable'.
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

/** Works on a connection until the signal or the limit; after a call of `begunToEnd`, neither counts. */
export async function withConnection<T>(
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

/** `reached` rejects when the signal is aborted or the time is over. */
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
  let late: NodeJS.Immediate | undefined;
  // After a pause of this process, timers run before it reads an answer of that time.
  const readFirst = () => {
    late = setImmediate(expire);
  };
  const timer = limitMs === undefined ? undefined : setTimeout(readFirst, limitMs);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  const forget = () => {
    clearTimeout(timer);
    clearImmediate(late);
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

export interface TransactionOptions {
  /** Maximum number of retries of `fn`; default 5. */
  retries?: number;
  /** Further errors (SQLSTATE) after which `fn` runs again; default none. */
  retriedStates?: readonly string[];
  /** Isolation level; default: that of the server. */
  isolation?: 'read committed' | 'repeatable read' | 'serializable';
  /** Makes the transaction read-only; default false. */
  readOnly?: boolean;
  /** Aborting it before the commit begins rolls the transaction back and throws its reason. */
  signal?: AbortSignal;
}

/**
 * Sends the last statement of a transaction and its commit in one round trip: either the statement has its whole effect
 * and is committed, or nothing is. Returns the result of `last`. `fn` must not use its connection afterwards.
 */
export type CommitWith = <T>(last: () => Promise<T>) => Promise<T>;

/** Serialisation failure and deadlock: a retry may succeed. */
const conflictStates: readonly string[] = ['40001', '40P01'];

/**
 * Runs `fn` in one transaction and commits it; anything thrown rolls it back. Serialisation failures and deadlocks
 * (40001, 40P01) run `fn` again, so it must have no other effects. With `pipeline`, the transaction begins in the same
 * round trip as the first statements of `fn`. When `fn` ends, none of its statements may be running (`together`).
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  fn: (client: pg.PoolClient, commitWith: CommitWith) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const { retries = 5, retriedStates = [] } = options;
  for (let failed = 0; ; failed++) {
    try {
      return await once(pool, fn, options);
    } catch (error) {
      const { code = '' } = (error ?? {}) as { code?: string };
      if (failed === retries || ![...conflictStates, ...retriedStates].includes(code)) throw error;
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

/** Statements behind a `begin` that failed would run without a transaction, so this closes the connection. */
async function begin(client: pg.PoolClient, text: string): Promise<void> {
  try {
    await client.query(text);
  } catch (error) {
    client.connection.stream.destroy();
    throw error;
  }
}

/**
 * PostgreSQL answers a commit after a failed statement with a rollback, without an error. It answers a commit with a
 * warning when someone cancelled the wait for the synchronous standby: a failover may lose such a commit.
 */
async function commit(client: pg.ClientBase): Promise<void> {
  let warning: string | undefined;
  const hear = ({ code, message }: { code?: string | undefined; message?: string | undefined }) => {
    if (code?.startsWith('01')) warning = message;
  };
  client.on('notice', hear);
  const { command } = await client.query('commit').finally(() => client.off('notice', hear));
  if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`);
  if (warning === undefined) return;
  throw new ServiceError('unavailable', 'Service temporarily unavailable', { cause: new Error(warning) });
}

/**
 * Waits until all have ended, then returns their results or throws the first error. Unlike `Promise.all`, it leaves no
 * statement running on a connection that others use next.
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
 * Runs `fn` in one transaction on a connection of the caller, which may hold a session lock. Unlike `inTransaction` it
 * does not retry.
 */
export async function inTransactionOn<T>(client: pg.ClientBase, fn: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await fn();
    await commit(client);
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {}); // the connection broke, which ended the transaction
    throw error;
  }
}
