import type pg from 'pg';
import { Counter } from 'prom-client';
import { errorText, type ServiceError, toServiceError } from './errors.js';
import type { Pauses } from './keep-trying.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import { duringCall, together, withConnection } from './postgres.js';

/** Runs statements. */
type Db = Pick<pg.ClientBase, 'query'>;

export interface Reading {
  /** The end of the call ends the statements. */
  readonly call?: { readonly signal: AbortSignal } | undefined;
  /** The sources whose data is read. */
  readonly sources: readonly (number | string)[];
  /** Limit of each statement of the call on the primary, as in `duringCall`. */
  readonly limitMs?: number;
}

/**
 * Runs work that reads and sees everything that was committed before it began. If a statement of the work fails, the
 * work may run again.
 */
export type ReadCurrent = <T>(reading: Reading, work: (db: Db) => Promise<T>) => Promise<T>;

/** Reads the primary; each statement sees what is committed when it begins. */
export function readPrimary(primary: pg.Pool): ReadCurrent {
  return ({ call, limitMs }, work) => work(call ? duringCall(primary, call, limitMs) : primary);
}

export interface ReplicaReadsOptions {
  /** Reads of the primary, and of its states. */
  readonly primary: pg.Pool;
  /** Writes to the primary. */
  readonly writes: pg.Pool;
  /** Of `openReplica`, with `pipeline`. */
  readonly replica: pg.Pool;
  /** Selects `source` and `state` of every source; each change of its data changes the state. */
  readonly states: string;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
  /** Others than usual, for tests. */
  readonly times?: ReplicaTimes;
}

/** In milliseconds. */
interface ReplicaTimes {
  /** Limit for all work of one read on the replica; after that the primary does the read. */
  readonly replicaLimitMs: number;
  /** Timeout of reading the states from the primary. */
  readonly primaryLimitMs: number;
  /** Pauses before the next read of the replica after one failed; each further failure doubles it. */
  readonly failed: Pauses;
}

const usualTimes: ReplicaTimes = {
  replicaLimitMs: 1000,
  primaryLimitMs: 1000,
  failed: { firstMs: 500, maxMs: 5000 },
};

/** The pause before the next read of a replica that was behind. */
const behind: Pauses = { firstMs: 1, maxMs: 100 };

interface Position {
  /** The primary that made the states; null before it has recorded itself. */
  readonly server: string | null;
  readonly states: ReadonlyMap<unknown, unknown>;
}

/** Ends work in a snapshot that is not current. */
class NotCurrent extends Error {}

/**
 * Reads a replica if the snapshot of the work has the same states of the sources as the primary had at some time since
 * the read began; otherwise reads the primary. States are comparable only within one history: a replica may follow a
 * server that is no longer the primary. Therefore each primary records its start in the table `primary_server`, and a
 * read uses a replica only if the replica has this record.
 */
export function readReplica(o: ReplicaReadsOptions): ReadCurrent {
  const { replicaLimitMs, primaryLimitMs, failed } = o.times ?? usualTimes;
  const position = {
    name: 'position',
    text: `select source, state, (
             select extract(epoch from started)::text from primary_server
             where pg_is_in_recovery() or started = pg_postmaster_start_time()
           ) as server from (${o.states}) as states`,
  };
  const onPrimary = readPrimary(o.primary);
  const recordPrimary = primaryRecorder(o.writes);
  const askPrimary = sharedByLater(async () => {
    const requested = positionOf(await duringCall(o.primary, { signal: never }, primaryLimitMs).query(position));
    if (requested.server === null) recordPrimary();
    return requested;
  });
  const count = readCounter(o.metrics);
  const tries = createSpacedTries();
  let failing = false;

  /** The outcome of the work; undefined when the replica could not do it. */
  async function onReplica<T>({ call, sources }: Reading, work: (db: Db) => Promise<T>) {
    const requested = askPrimary();
    let primaryFailure: ServiceError | undefined;
    requested.catch((error: unknown) => {
      primaryFailure = toServiceError(error);
    });
    let answered = false;
    try {
      const ended = await withConnection(o.replica, { signal: call?.signal, limitMs: replicaLimitMs }, (client) => {
        const begun = client.query('begin isolation level repeatable read read only');
        const own = client.query(position).then((result) => {
          answered = true;
          return positionOf(result);
        });
        const isCurrent = together(begun, own, requested).then(([, replica, primary]) =>
          isSame(replica, primary, sources),
        );
        return inSnapshot(client, isCurrent, work);
      });
      if (ended === undefined) tries.failed(behind);
      else tries.succeeded();
      count(ended === undefined ? 'behind' : 'replica');
      if (failing) o.logger.info('the read replica answers again');
      failing = false;
      return ended;
    } catch (error) {
      if (call?.signal.aborted) throw error;
      if (primaryFailure?.kind === 'unavailable') throw primaryFailure;
      count('failed');
      // A replica that responded, but was too slow for this work, may be fast enough for other work.
      if (!answered || primaryFailure) tries.failed(failed);
      if (!failing) o.logger.warn({ reason: errorText(error) }, 'the read replica fails: reading the primary');
      failing = true;
      return undefined;
    }
  }

  return async (reading, work) => {
    if (!tries.take()) {
      count('paused');
      return onPrimary(reading, work);
    }
    const ended = await onReplica(reading, work);
    if (ended === undefined) return onPrimary(reading, work);
    if (ended.status === 'rejected') throw ended.reason;
    return ended.value;
  };
}

const never = new AbortController().signal;

function positionOf({ rows }: pg.QueryResult): Position {
  return { server: rows[0]?.server ?? null, states: new Map(rows.map(({ source, state }) => [source, state])) };
}

function isSame(own: Position, requested: Position, sources: readonly unknown[]): boolean {
  if (requested.server === null || own.server !== requested.server) return false;
  return sources.every((source) => own.states.get(source) === requested.states.get(source));
}

/**
 * Does the work in the open transaction, and returns its outcome; undefined when the snapshot is not current. No
 * statement has a result before that is known. Throws the error of a statement that failed in a current snapshot, even
 * if the work caught it.
 */
async function inSnapshot<T>(
  client: pg.PoolClient,
  isCurrent: Promise<boolean>,
  work: (db: Db) => Promise<T>,
): Promise<PromiseSettledResult<T> | undefined> {
  const failures: unknown[] = [];
  const query = async (statement: pg.QueryConfig | string, values?: unknown[]) => {
    try {
      const [result, current] = await together(client.query(statement, values), isCurrent);
      if (current) return result;
    } catch (error) {
      failures.push(error);
      throw error;
    }
    throw new NotCurrent();
  };
  const [ended] = await Promise.allSettled([work({ query: query as Db['query'] })]);
  const current = await isCurrent;
  if (current && failures.length > 0) throw failures[0];
  client.query('commit').catch(() => {}); // If it fails, so does the next statement of the connection.
  return current ? ended : undefined;
}

/** After a failure, lets one caller at a time retry, after a pause. */
function createSpacedTries() {
  let pauseMs = 0;
  let nextAt = 0;
  return {
    take(): boolean {
      const now = performance.now();
      if (now < nextAt) return false;
      nextAt = now + pauseMs;
      return true;
    },
    succeeded(): void {
      pauseMs = 0;
      nextAt = 0;
    },
    failed({ firstMs, maxMs }: Pauses): void {
      pauseMs = Math.min(Math.max(firstMs, pauseMs * 2), maxMs);
      nextAt = performance.now() + pauseMs;
    },
  };
}

/**
 * One run at a time. All callers that arrive during a run share the next one, so each result was read after its call.
 */
function sharedByLater<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const begin = () => {
    next = undefined;
    const result = run();
    running = result.catch(() => {});
    return result;
  };
  return () => {
    next ??= running.then(begin);
    return next;
  };
}

/** Records the start of the primary: one write at a time, and at most one per second. */
function primaryRecorder(writes: pg.Pool): () => void {
  let nextAt = 0;
  return () => {
    const now = performance.now();
    if (now < nextAt) return;
    nextAt = now + 1000;
    const statement = `
      insert into primary_server (started) values (pg_postmaster_start_time())
      on conflict (one) do update set started = excluded.started where primary_server.started <> excluded.started`;
    writes.query(statement).catch(() => {}); // The next read retries.
  };
}

function readCounter(metrics: Metrics | undefined): (outcome: 'replica' | 'behind' | 'failed' | 'paused') => void {
  const counter = new Counter({
    name: 'cadastre_replica_reads_total',
    help: 'Reads that the replica of the database answered, and those that the primary answered because the replica was behind, had failed, or was in a pause after a failure',
    labelNames: ['outcome'],
    registers: metrics ? [metrics] : [],
  });
  return (outcome) => counter.inc({ outcome });
}
