import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMetrics, createPool, inTransaction, migrate, reportPools } from '../src/index.js';
import { testDatabase, testLogger } from '../src/testing.js';

let directory: string;
let database: { url: string; drop(): Promise<void> };
let pool: Pool;

const write = (name: string, sql: string) => writeFile(path.join(directory, name), sql);
const runMigrations = () => migrate({ url: database.url, directory: pathToFileURL(directory), logger: testLogger() });

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'cadastre-migrations-'));
  await write(
    '0001-account.sql',
    'create table account (id integer primary key, balance bigint); insert into account values (1, 10), (2, 20)',
  );
  database = await testDatabase(pathToFileURL(directory));
  const sessionSettings = { 'cadastre.note': 'two words', idle_in_transaction_session_timeout: '60000' };
  pool = createPool({ url: database.url, max: 4, applicationName: 'test', statementTimeoutMs: 5000, sessionSettings });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
  await rm(directory, { recursive: true });
});

test('a pool applies its settings and gives 64-bit integers as bigint', async () => {
  const { rows } = await pool.query(
    `select balance, current_setting('application_name') as name, current_setting('statement_timeout') as timeout,
       current_setting('cadastre.note') as note from account where id = 1`,
  );
  expect(rows).toEqual([{ balance: 10n, name: 'test', timeout: '5s', note: 'two words' }]);
});

test('the connections of every pool are told by the name of its application', async () => {
  const other = createPool({ url: database.url, max: 1, applicationName: 'other', statementTimeoutMs: 5000 });
  const metrics = createMetrics('test');
  reportPools(metrics, [pool, other]);
  await pool.query('select 1');
  const text = await metrics.metrics();
  expect(text).toMatch(/^cadastre_postgres_connections\{pool="test",state="idle",service="test"\} 1$/m);
  expect(text).toMatch(/^cadastre_postgres_connections\{pool="other",state="idle",service="test"\} 0$/m);
  await other.end();
});

describe('a transaction', () => {
  beforeEach(() => pool.query('update account set balance = 10 where id = 1'));
  const balance = async () => (await pool.query('select balance from account where id = 1')).rows[0].balance;

  test('is rolled back when its function throws', async () => {
    const failed = inTransaction(pool, async (client) => {
      await client.query('update account set balance = 0 where id = 1');
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    expect(await balance()).toBe(10n);
  });

  test('runs again after a serialisation failure, so that no update is lost', async () => {
    let runs = 0;
    const add = () =>
      inTransaction(
        pool,
        async (client) => {
          runs += 1;
          const { rows } = await client.query('select balance from account where id = 1');
          await client.query('update account set balance = $1 where id = 1', [rows[0].balance + 1n]);
        },
        { isolation: 'serializable', retries: 50 },
      );
    await Promise.all(Array.from({ length: 8 }, add));
    expect(await balance()).toBe(18n);
    expect(runs).toBeGreaterThan(8);
  });

  test('gives up after its retries', async () => {
    let runs = 0;
    const failed = inTransaction(
      pool,
      async (client) => {
        runs += 1;
        await client.query("do $$ begin raise exception 'no' using errcode = '40P01'; end $$");
      },
      { retries: 2 },
    );
    await expect(failed).rejects.toMatchObject({ code: '40P01' });
    expect(runs).toBe(3);
  });

  test('whose connection is lost does not give that connection to the next', async () => {
    const lost = inTransaction(pool, async (client) => {
      await client.query('select pg_terminate_backend(pg_backend_pid())');
    });
    await expect(lost).rejects.toThrow();
    expect(await balance()).toBe(10n);
  });
});

describe('migrations', () => {
  test('run once each, in order, also when several processes try at once', async () => {
    await write('0002-note.sql', 'create table note (id integer); insert into note values (1)');
    await Promise.all([runMigrations(), runMigrations(), runMigrations()]);
    await runMigrations();
    expect((await pool.query('select id from note')).rows).toEqual([{ id: 1 }]);
    const { rows } = await pool.query('select version, name from schema_migration order by version');
    expect(rows).toEqual([
      { version: 1, name: '0001-account.sql' },
      { version: 2, name: '0002-note.sql' },
    ]);
  });

  test('that fail leave nothing behind', async () => {
    await write('0003-bad.sql', 'create table half (id integer); select no_such_function()');
    await expect(runMigrations()).rejects.toThrow('no_such_function');
    await rm(path.join(directory, '0003-bad.sql'));
    expect((await pool.query("select to_regclass('half') as half")).rows).toEqual([{ half: null }]);
  });

  test('that were changed after they ran are refused', async () => {
    await write('0002-note.sql', 'create table note (id text)');
    await expect(runMigrations()).rejects.toThrow('0002-note.sql was changed');
  });

  test('that the files do not know are left alone', async () => {
    await rm(path.join(directory, '0002-note.sql'));
    await expect(runMigrations()).resolves.toBeUndefined();
  });

  test.each([['3-short.sql'], ['0003_underscore.sql'], ['0001-twice.sql']])('named %s are refused', async (name) => {
    await write(name, 'select 1');
    await expect(runMigrations()).rejects.toThrow(name);
    await rm(path.join(directory, name));
  });
});
