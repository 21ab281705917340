import { randomUUID } from 'node:crypto';
import {
  errorText,
  inTransaction,
  keepTryingService,
  type Logger,
  type Metrics,
  pause,
  type Service,
} from '@cadastre/service';
import type { Pool, PoolClient } from 'pg';
import { Gauge } from 'prom-client';

/** A job that this process has for now. */
export interface Lease {
  readonly name: string;
  /** Aborted when this process loses the job, or the service stops. */
  readonly signal: AbortSignal;
  /**
   * Runs `fn` in one transaction that commits only while this process has the job: no other replica gets it before the
   * end. Throws a LostLease otherwise.
   */
  transaction<T>(fn: (client: PoolClient) => Promise<T>): Promise<T>;
}

/** The job belongs to another replica now. */
export class LostLease extends Error {
  override readonly name = 'LostLease';
}

/** A job: runs while this process has its lease, and again after it has thrown or the lease came back. */
export interface Job {
  readonly name: string;
  run(lease: Lease): Promise<void>;
}

export interface LeasesOptions {
  readonly pool: Pool;
  readonly jobs: readonly Job[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Duration of a lease without renewal, and the time between renewals and attempts; for tests. */
  readonly times?: LeaseTimes;
}

interface LeaseTimes {
  readonly lastsMs: number;
  readonly beatMs: number;
}

/** A dead replica's jobs move to another one after at most the sum, 12 s. */
const usualTimes: LeaseTimes = { lastsMs: 9_000, beatMs: 3_000 };

const afterFailure = { firstMs: 1_000, maxMs: 60_000 };

interface HeldLease {
  readonly lost: AbortController;
  /** When the job ends here without a renewal, on the clock of `performance`. */
  until: number;
  running: Promise<void>;
}

/**
 * Runs each job in one replica at a time. The database has the leases, and its clock decides. One statement renews all
 * leases of a replica, and acquires the free ones.
 */
export function leasedJobs({ pool, jobs, logger, metrics, times = usualTimes }: LeasesOptions): Service {
  const lookMs = Math.min(250, times.beatMs);
  const holder = randomUUID();
  const held = new Map<string, HeldLease>();
  new Gauge({
    name: 'cadastre_mirror_lease_held',
    help: 'Whether this replica holds the lease of a job.',
    labelNames: ['job'],
    registers: [metrics],
    collect() {
      for (const { name } of jobs) this.set({ job: name }, held.has(name) ? 1 : 0);
    },
  });

  function begin(job: Job, until: number): void {
    const lost = new AbortController();
    const lease: Lease = {
      name: job.name,
      signal: lost.signal,
      transaction: (fn) =>
        inTransaction(
          pool,
          async (client) => {
            await requireLease(client, job.name, holder);
            return fn(client);
          },
          { signal: lost.signal },
        ),
    };
    logger.info({ job: job.name }, 'acquired lease');
    held.set(job.name, { lost, until, running: keepRunning(job, lease, logger) });
  }

  /** A job ends before another run of it begins in this process. */
  async function end(name: string): Promise<void> {
    const lease = held.get(name)!;
    lease.lost.abort(new LostLease(name));
    await lease.running;
    held.delete(name);
  }

  async function beat(): Promise<void> {
    // The lease lasts longer, because the database reads its clock later: the last look at it comes before its end.
    const until = performance.now() + times.lastsMs - 2 * lookMs;
    const free = jobs.filter(({ name }) => held.get(name)?.lost.signal.aborted !== true);
    const names = await renewAndTake(pool, { names: free.map(({ name }) => name), holder, lastsMs: times.lastsMs });
    for (const job of free) {
      const lease = held.get(job.name);
      if (!names.has(job.name)) {
        if (lease !== undefined) logger.warn({ job: job.name }, 'lost lease');
        if (lease !== undefined) void end(job.name);
      } else if (lease === undefined) begin(job, until);
      else lease.until = until;
    }
  }

  /** Another replica may have leases that the database has not renewed in time. */
  function watch(): NodeJS.Timeout {
    const look = () => {
      for (const [name, { until, lost }] of held) {
        if (lost.signal.aborted || performance.now() < until) continue;
        logger.warn({ job: name }, 'cannot renew lease in time');
        void end(name);
      }
    };
    return setInterval(look, lookMs).unref();
  }

  const beating = keepTryingService({
    async work(signal) {
      await beat();
      await pause(times.beatMs, signal);
    },
    onFailure: (error) => logger.warn({ reason: errorText(error) }, 'cannot renew leases'),
    pauses: { firstMs: times.beatMs / 3, maxMs: times.beatMs },
  });
  let watching: NodeJS.Timeout | undefined;
  return {
    async start() {
      watching = watch();
      await beating.start();
    },
    async stop() {
      await beating.stop();
      await Promise.all([...held.keys()].map(end));
      clearInterval(watching);
      await pool.query('delete from lease where holder = $1', [holder]).catch((error) => {
        logger.warn({ reason: errorText(error) }, 'cannot release leases');
      });
    },
  };
}

async function keepRunning(job: Job, lease: Lease, logger: Logger): Promise<void> {
  const running = keepTryingService({
    work: () => job.run(lease),
    onFailure(error, pauseMs) {
      logger.error({ job: job.name, reason: errorText(error), pauseMs }, 'job failed');
    },
    pauses: afterFailure,
  });
  await running.start();
  await new Promise<void>((resolve) => {
    if (lease.signal.aborted) resolve();
    else lease.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await running.stop();
}

async function renewAndTake(
  pool: Pool,
  { names, holder, lastsMs }: { names: readonly string[]; holder: string; lastsMs: number },
): Promise<Set<string>> {
  const { rows } = await pool.query<{ name: string }>({
    name: 'renew-and-take-leases',
    // In one order, so that two replicas never wait for each other.
    text: `insert into lease as l (name, holder, until)
             select name, $2, clock_timestamp() + $3 * interval '1 millisecond' from unnest($1::text[]) name order by name
           on conflict (name) do update set holder = excluded.holder, until = excluded.until
             where l.holder = excluded.holder or l.until < clock_timestamp()
           returning name`,
    values: [names, holder, lastsMs],
  });
  return new Set(rows.map(({ name }) => name));
}

/** Locks the lease until the transaction ends: another replica that acquires it waits. */
async function requireLease(client: PoolClient, name: string, holder: string): Promise<void> {
  const { rowCount } = await client.query({
    name: 'require-lease',
    text: 'select from lease where name = $1 and holder = $2 and until > clock_timestamp() for share',
    values: [name, holder],
  });
  if (rowCount === 0) throw new LostLease(name);
}
