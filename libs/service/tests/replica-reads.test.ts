import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createMetrics, openDatabase, openReplica, readReplica, ServiceError } from '../src/index.js';
import { afterwards } from './number-service.js';
import { testDatabase, testLogger } from './testing.js';

// The replica is a second database of the same server, so that its content can differ from the primary in any way.

let directory: string;
let databases: Record<'primary' | 'replica', { url: string; drop(): Promise<void> }>;
let pools: Record<'primary' | 'replica', Pool>;

const options = { max: 4, applicationName: 'test', statementTimeoutMs: 60_000 };

/** On a busy machine reads last longer than usual, which would count as failures, and the pause after one could end. */
const times = { replicaLimitMs: 60_000, primaryLimitMs: 60_000, failed: { firstMs: 600_000, maxMs: 600_000 } };

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'cadastre-replica-'));
  const tables = `
    create table primary_server (one boolean primary key default true, started timestamptz);
    create table source (name text primary key, serial bigint);
    create table place (name text);`;
  await writeFile(path.join(directory, '0001-tables.sql'), tables);
  const [primary, replica] = [
    await testDatabase(pathToFileURL(directory)),
    await testDatabase(pathToFileURL(directory)),
  ];
  databases = { primary, replica };
  pools = {
    primary: openDatabase(primary.url).createPool(options),
    replica: openDatabase(replica.url).createPool(options),
  };
});

beforeEach(async () => {
  for (const name of ['primary', 'replica'] as const) {
    await pools[name].query(`
      truncate primary_server, source, place;
      insert into primary_server values (true, pg_postmaster_start_time());
      insert into source values ('A', 5), ('B', 7);
      insert into place values ('${name}')`);
  }
});

afterAll(async () => {
  await Promise.all(Object.values(pools).map((pool) => pool.end()));
  await Promise.all(Object.values(databases).map((database) => database.drop()));
  await rm(directory, { recursive: true });
});

/** Reads with fresh pools. `outcomes` counts the reads of each kind. */
function openReads(replicaUrl = databases.replica.url) {
  const primary = openDatabase(databases.primary.url).createPool(options);
  const replica = openReplica(replicaUrl).createPool({ ...options, pipeline: true });
  afterwards(() => Promise.all([primary.end(), replica.end()]));
  const metrics = createMetrics('test');
  const states = 'select name as source, serial as state from source';
  const writes = pools.primary;
  const read = readReplica({
    ...{ primary, writes, replica, states, times },
    ...{ logger: testLogger(), metrics },
  });
  const outcomes = async () => {
    const { values } = (await metrics.getSingleMetric('cadastre_replica_reads_total')!.get()) as {
      values: { labels: { outcome?: string }; value: number }[];
    };
    return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
  };
  return { read, primary, outcomes };
}

const call = { signal: new AbortController().signal };

type Db = Parameters<Parameters<ReturnType<typeof readReplica>>[1]>[0];
const place = async (db: Db): Promise<string> => (await db.query('select name from place')).rows[0].name;

test('reads the replica when it has what the primary has', async () => {
  const { read, outcomes } = openReads();
  expect(await read({ call, sources: ['A', 'B'] }, place)).toBe('replica');
  expect(await read({ call, sources: ['A'] }, place)).toBe('replica');
  expect(await outcomes()).toEqual({ replica: 2 });
});

test.each<[string, string]>([
  ['is behind', "update source set serial = 4 where name = 'A'"],
  ['is ahead: the primary may lose that change', "update source set serial = 6 where name = 'A'"],
  ['does not have the source', "delete from source where name = 'A'"],
  ['follows another primary', "update primary_server set started = '2026-01-01'"],
  ['has no record of a primary', 'delete from primary_server'],
])('reads the primary when the replica %s', async (_, change) => {
  await pools.replica.query(change);
  const { read, outcomes } = openReads();
  expect(await read({ call, sources: ['B', 'A'] }, place)).toBe('primary');
  expect(await outcomes()).toEqual({ behind: 1 });
});

test('only the sources of a read count', async () => {
  await pools.replica.query("update source set serial = 4 where name = 'A'");
  const { read } = openReads();
  expect(await read({ call, sources: ['B'] }, place)).toBe('replica');
});

test.each<[string, string | undefined]>([
  ['before a migration made its table', 'alter table primary_server rename to missing'],
  ['when the replica cannot be reached', undefined],
])('reads the primary %s', async (_, change) => {
  if (change) {
    await pools.primary.query(change);
    afterwards(() => pools.primary.query('alter table missing rename to primary_server'));
  }
  const { read, outcomes } = openReads(change ? undefined : 'postgres://nobody@127.0.0.1:1/none');
  expect(await read({ call, sources: ['A'] }, place)).toBe('primary');
  expect(await read({ call, sources: ['A'] }, place)).toBe('primary');
  expect(await outcomes()).toEqual({ failed: 1, paused: 1 });
});

test('a primary records itself, and replicas count when they have the record', async () => {
  for (const pool of Object.values(pools)) await pool.query("update primary_server set started = '2026-01-01'");
  const { read } = openReads();
  expect(await read({ call, sources: ['A'] }, place)).toBe('primary');
  const recorded = () => pools.primary.query('select 1 from primary_server where started = pg_postmaster_start_time()');
  await expect.poll(async () => (await recorded()).rowCount).toBe(1);
  expect(await read({ call, sources: ['A'] }, place)).toBe('primary');
  await pools.replica.query('update primary_server set started = pg_postmaster_start_time()');
  await expect.poll(() => read({ call, sources: ['A'] }, place)).toBe('replica');
});

test('all statements of a read have one snapshot', async () => {
  const { read } = openReads();
  const places = await read({ call, sources: ['A'] }, async (db) => {
    const before = await place(db);
    await pools.replica.query("update place set name = 'changed'");
    return [before, await place(db)];
  });
  expect(places).toEqual(['replica', 'replica']);
  expect(await read({ call, sources: ['A'] }, place)).toBe('changed');
});

test('work whose statement fails on the replica runs again, whatever it made of the error', async () => {
  await pools.primary.query('create table later (n integer)');
  afterwards(() => pools.primary.query('drop table later'));
  const { read, outcomes } = openReads();
  const work = async (db: Db) => {
    const first = await place(db);
    const rows = await db.query('select 1 from later').catch(() => undefined);
    return [first, rows?.rowCount];
  };
  expect(await read({ call, sources: ['A'] }, work)).toEqual(['primary', 0]);
  expect(await outcomes()).toEqual({ failed: 1 });
  expect(await read({ call, sources: ['A'] }, place)).toBe('replica');
});

test('a statement that fails because the replica is behind is no failure of the replica', async () => {
  await pools.primary.query("create table later (n integer); update source set serial = 6 where name = 'A'");
  afterwards(() => pools.primary.query('drop table later'));
  const { read, outcomes } = openReads();
  const work = async (db: Db) => (await db.query('select 1 from later')).rowCount;
  expect(await read({ call, sources: ['A'] }, work)).toBe(0);
  expect(await outcomes()).toEqual({ behind: 1 });
});

test('an error of the work itself is the result', async () => {
  const { read, outcomes } = openReads();
  let runs = 0;
  const work = async (db: Db) => {
    runs++;
    throw new ServiceError('not-found', await place(db));
  };
  await expect(read({ call, sources: ['A'] }, work)).rejects.toThrow('replica');
  expect([runs, await outcomes()]).toEqual([1, { replica: 1 }]);
});

test('the end of a call ends its read', async () => {
  const { read } = openReads();
  const ending = new AbortController();
  const work = async (db: Db) => {
    await place(db);
    ending.abort(new Error('ended'));
    return db.query('select pg_sleep(60)');
  };
  await expect(read({ call: ending, sources: ['A'] }, work)).rejects.toThrow('ended');
  const sleeping = "select 1 from pg_stat_activity where query like 'select pg_sleep(60)%' and state = 'active'";
  await expect.poll(async () => (await pools.primary.query(sleeping)).rowCount).toBe(0);
});

test('reads at the same time ask the primary together', async () => {
  const { read, primary, outcomes } = openReads();
  await read({ call, sources: ['A'] }, place);
  let requested = 0;
  primary.on('acquire', () => requested++);
  const reads = Array.from({ length: 40 }, () => read({ call, sources: ['A'] }, place));
  expect(new Set(await Promise.all(reads))).toEqual(new Set(['replica']));
  expect(requested).toBeLessThanOrEqual(2);
  expect(await outcomes()).toEqual({ replica: 41 });
});

test('a read sees what was committed before it, while the replica falls behind', async () => {
  const { read, outcomes } = openReads();
  const serialOf = (db: Db) =>
    db.query("select serial from source where name = 'A'").then(({ rows }) => rows[0].serial);
  for (let serial = 6n; serial < 60n; serial++) {
    const update = `update source set serial = ${serial} where name = 'A'`;
    await pools.primary.query(update);
    if (serial % 3n === 0n) await pools.replica.query(update);
    const reads = await Promise.all(Array.from({ length: 5 }, () => read({ call, sources: ['A'] }, serialOf)));
    expect(new Set(reads)).toEqual(new Set([serial]));
  }
  expect(await outcomes()).toMatchObject({ replica: expect.any(Number), behind: expect.any(Number) });
});
