import { createMetrics, openDatabase, type Service } from '@cadastre/service';
import { testDatabase, testLogger } from '@cadastre/service/testing';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Job, type Lease, LostLease, leasedJobs } from '../src/leases.js';

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
const started: Service[] = [];

beforeAll(async () => {
  database = await testDatabase(new URL('../migrations/', import.meta.url));
  pool = openDatabase(database.url).createPool({ max: 4, applicationName: 'test', statementTimeoutMs: 60_000 });
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.stop()));
  await pool.query('delete from lease');
});

afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

/** Records which replica works on which job. */
function notebook() {
  const working = new Map<string, Set<string>>();
  const seen: string[] = [];
  const leases = new Map<string, Lease>();
  const job = (name: string, replica: string): Job => ({
    name,
    async run(lease) {
      const others = working.get(name) ?? new Set();
      working.set(name, others.add(replica));
      seen.push([...others].join('+'));
      leases.set(replica, lease);
      await new Promise((resolve) => lease.signal.addEventListener('abort', resolve, { once: true }));
      others.delete(replica);
    },
  });
  const whoWorksOn = (name: string) => [...(working.get(name) ?? [])];
  return { job, whoWorksOn, seen, leases };
}

/**
 * A replica; `cutOff` cuts it off from the database. By default its leases last longer than a busy machine stops, so
 * that it loses none by itself.
 */
async function replica(jobs: readonly Job[], lastsMs = 60_000): Promise<Service & { cutOff(): void }> {
  const times = { lastsMs, beatMs: 100 };
  let isCutOff = false;
  const query = (...statement: unknown[]) =>
    isCutOff ? Promise.reject(new Error('no route to host')) : pool.query(...(statement as [string]));
  const own = { query, connect: () => pool.connect() } as unknown as Pool;
  const service = leasedJobs({ pool: own, jobs, logger: testLogger(), metrics: createMetrics('mirror'), times });
  started.push(service);
  await service.start();
  return {
    ...service,
    cutOff() {
      isCutOff = true;
    },
  };
}

test('a job runs in one replica, and in another one when that stops (M13)', async () => {
  const { job, whoWorksOn, seen } = notebook();
  const first = await replica([job('publish TEST', 'first')]);
  await expect.poll(() => whoWorksOn('publish TEST')).toEqual(['first']);
  await replica([job('publish TEST', 'second')]);
  await first.stop();
  await expect.poll(() => whoWorksOn('publish TEST')).toEqual(['second']);
  expect(seen).toEqual(['first', 'second']);
});

test('a replica without the database stops working before another one begins', async () => {
  const { job, whoWorksOn, seen } = notebook();
  const lastsMs = 6_000;
  const first = await replica([job('publish TEST', 'first')], lastsMs);
  await expect.poll(() => whoWorksOn('publish TEST')).toEqual(['first']);
  await replica([job('publish TEST', 'second')], lastsMs);
  first.cutOff();
  const { rows: leases } = await pool.query<{ until: string }>('select until::text from lease');
  await expect.poll(() => whoWorksOn('publish TEST'), { interval: 10 }).toEqual(['second']);
  const ended = await pool.query('select clock_timestamp() > $1 as ended', [leases[0]!.until]);
  expect(ended.rows).toEqual([{ ended: true }]);
  expect(seen).toEqual(['first', 'second']);
});

test('nothing is committed for a job that another replica has taken', async () => {
  const { job, leases } = notebook();
  await replica([job('publish TEST', 'first')]);
  await expect.poll(() => leases.get('first')).toBeDefined();
  const lease = leases.get('first')!;
  const take = () => pool.query('update lease set holder = gen_random_uuid()');
  await expect(lease.transaction((db) => db.query('select 1 as one'))).resolves.toMatchObject({ rows: [{ one: 1 }] });
  await take();
  await expect(lease.transaction((db) => db.query('select 1'))).rejects.toThrow(LostLease);
});

test('a job that throws runs again, beside jobs that do not', async () => {
  const { job, whoWorksOn } = notebook();
  const run = vi.fn().mockRejectedValueOnce(new Error('broken')).mockImplementation(job('b', 'only').run);
  await replica([job('a', 'only'), { name: 'b', run }]);
  await expect.poll(() => [...whoWorksOn('a'), ...whoWorksOn('b')]).toEqual(['only', 'only']);
  expect(run).toHaveBeenCalledTimes(2);
});
