import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Pool, PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type CommitWith,
  createMetrics,
  duringCall,
  inTransaction,
  migrate,
  openDatabase,
  type PoolOptions,
  reportPools,
  reportTableSizes,
  ServiceError,
  together,
  toServiceError,
} from '../src/index.js';
import { afterwards } from './number-service.js';
import { testDatabase, testLogger } from './testing.js';

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
  pool = openDatabase(database.url).createPool({
    max: 4,
    applicationName: 'test',
    statementTimeoutMs: 60_000,
    sessionSettings,
  });
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
  expect(rows).toEqual([{ balance: 10n, name: 'test', timeout: '1min', note: 'two words' }]);
});

test('a metric counts the connections of each pool by application name', async () => {
  const other = openDatabase(database.url).createPool({ max: 1, applicationName: 'other', statementTimeoutMs: 60_000 });
  const metrics = createMetrics('test');
  reportPools(metrics, [pool, other]);
  await pool.query('select 1');
  const text = await metrics.metrics();
  expect(text).toMatch(/^cadastre_postgres_connections\{pool="test",state="idle",service="test"\} 1$/m);
  expect(text).toMatch(/^cadastre_postgres_connections\{pool="other",state="idle",service="test"\} 0$/m);
  await other.end();
});

test('the sizes of tables are metrics: partitions as their table, numbered tables by their name', async () => {
  await pool.query(`
    create table registry (source integer, key text, primary key (source, key)) partition by list (source);
    create table registry_a partition of registry for values in (1);
    create table registry_b partition of registry for values in (2);
    create table document_7 (text text);
    insert into registry select n % 2 + 1, n::text from generate_series(1, 100) n;
    analyze registry_a; analyze registry_b`);
  const metrics = createMetrics('service');
  reportTableSizes(metrics, pool);
  const sample = async (name: string) =>
    Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\d+)$`, 'm').exec(await metrics.metrics())?.[1] ?? -1);
  const rows = 'cadastre_table_rows{table="registry",service="service"}';
  await expect.poll(() => sample(rows)).toBe(100);
  const bytes = (table: string, part: string) =>
    `cadastre_table_bytes{table="${table}",part="${part}",service="service"}`;
  expect(await sample(bytes('registry', 'heap'))).toBe(2 * 8192);
  expect(await sample(bytes('registry', 'indexes'))).toBeGreaterThanOrEqual(2 * 8192);
  expect(await sample(bytes('document', 'heap'))).toBe(0);
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

  test('that is read only writes nothing', async () => {
    const write = inTransaction(pool, (client) => client.query('update account set balance = 0 where id = 1'), {
      isolation: 'repeatable read',
      readOnly: true,
    });
    await expect(write).rejects.toMatchObject({ code: '25006' });
    expect(await balance()).toBe(10n);
  });

  test('runs again after a serialisation failure, so that no update is lost', async () => {
    let runs = 0;
    // Two have read before the first one writes.
    const met = Promise.withResolvers<void>();
    const add = () =>
      inTransaction(
        pool,
        async (client) => {
          const { rows } = await client.query('select balance from account where id = 1');
          if (++runs === 2) met.resolve();
          await met.promise;
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

  test('that loses its connection does not return it to the pool', async () => {
    const lost = inTransaction(pool, async (client) => {
      await client.query('select pg_terminate_backend(pg_backend_pid())');
    });
    await expect(lost).rejects.toThrow();
    expect(await balance()).toBe(10n);
  });
});

test('a transaction with locks loses them when its process does not continue', async () => {
  const hung = inTransaction(ownPool({ locks: true }), async (client) => {
    await client.query('update account set balance = 0 where id = 1');
    await pool.query('update account set balance = 11 where id = 1');
    await client.query('update account set balance = 12 where id = 1');
  });
  expect(toServiceError(await hung.catch((error) => error)).kind).toBe('unavailable');
  const { rows } = await pool.query('select balance from account where id = 1');
  expect(rows).toEqual([{ balance: 11n }]);
});

/** A pool for the test that runs. */
function ownPool({ url = database.url, ...more }: Partial<PoolOptions> & { url?: string }): Pool {
  const made = openDatabase(url).createPool({ max: 1, applicationName: 'own', statementTimeoutMs: 20_000, ...more });
  afterwards(() => made.end());
  return made;
}

/** The statement runs, or waits for a lock, in the database. */
const isRunning = async (text: string) => {
  const { rows } = await pool.query('select pid from pg_stat_activity where query = $1 and state = $2', [
    text,
    'active',
  ]);
  return rows.length > 0;
};

/** A port that handles its connections like anything but PostgreSQL. */
async function portThat(handles: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    handles(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `postgres://nobody@127.0.0.1:${(server.address() as { port: number }).port}/none`;
}

const withoutRoom = async () => {
  await pool.query('create role crowded login connection limit 1');
  const url = new URL(database.url);
  url.username = 'crowded';
  const crowded = ownPool({ url: url.href, max: 2 });
  const [first] = [await crowded.connect()];
  afterwards(async () => {
    first!.release(true);
    await pool.query('drop role crowded');
  });
  return crowded.query('select 1');
};
const terminated = async () => {
  const lost = ownPool({}).query('select pg_sleep(60), 1');
  lost.catch(() => {});
  await expect.poll(() => isRunning('select pg_sleep(60), 1')).toBe(true);
  await pool.query("select pg_terminate_backend(pid) from pg_stat_activity where query = 'select pg_sleep(60), 1'");
  return lost;
};
const demoted = () =>
  ownPool({ sessionSettings: { default_transaction_read_only: 'on' } }).query('insert into account values (3, 1)');

test.each<[string, () => Promise<unknown>]>([
  ['ended our session', terminated],
  ['has no room for further sessions', withoutRoom],
  ['is a standby now', demoted],
  ['is too slow', () => ownPool({ statementTimeoutMs: 50 }).query('select pg_sleep(60)')],
  [
    'has no socket',
    () => ownPool({ url: 'postgres://nobody@localhost/none?host=/no/such/directory' }).query('select 1'),
  ],
  ['is not there', () => ownPool({ url: 'postgres://nobody@127.0.0.1:1/none' }).query('select 1')],
  ['closes connections', async () => ownPool({ url: await portThat((socket) => socket.end()) }).query('select 1')],
  [
    'resets connections',
    async () => ownPool({ url: await portThat((socket) => socket.resetAndDestroy()) }).query('select 1'),
  ],
  ['hangs', async () => ownPool({ url: await portThat(() => {}) }).query('select 1')],
])('a database that %s is away', async (_, fail) => {
  const error = await fail().then(
    () => expect.fail('it should have failed'),
    (thrown) => toServiceError(thrown),
  );
  expect(error).toMatchObject({ kind: 'unavailable', cause: expect.any(Error) });
});

describe('a call', () => {
  const gone = new ServiceError('cancelled', 'gone');
  const sleep = "select pg_sleep(60), 'for nobody'";

  test('that ends cancels its statement', async () => {
    const caller = new AbortController();
    const own = ownPool({});
    const running = duringCall(own, caller).query(sleep);
    await expect.poll(() => isRunning(sleep)).toBe(true);
    caller.abort(gone);
    await expect(running).rejects.toBe(gone);
    await expect.poll(() => isRunning(sleep)).toBe(false);
    expect((await duringCall(own, new AbortController()).query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('that ends while waiting for a connection runs nothing and holds no connection', async () => {
    const caller = new AbortController();
    const own = ownPool({});
    const busy = await own.connect();
    const waiting = duringCall(own, caller).query('update account set balance = 0');
    caller.abort(gone);
    await expect(waiting).rejects.toBe(gone);
    busy.release();
    expect((await own.query('select count(*) from account where balance = 0')).rows).toEqual([{ count: 0n }]);
    expect([own.totalCount, own.idleCount, own.waitingCount]).toEqual([1, 1, 0]);
  });

  test('that has ended runs nothing', async () => {
    const ended = duringCall(ownPool({}), { signal: AbortSignal.abort(gone) });
    await expect(ended.query('update account set balance = 0')).rejects.toBe(gone);
    expect((await pool.query('select count(*) from account where balance = 0')).rows).toEqual([{ count: 0n }]);
  });

  test.each([
    ['of a slow statement', (own: Pool) => duringCall(own, new AbortController(), 50).query('select pg_sleep(60)')],
    [
      'of waiting for a connection',
      async (own: Pool) => {
        const busy = await own.connect();
        afterwards(() => busy.release());
        return duringCall(own, new AbortController(), 50).query('select 1');
      },
    ],
  ])('has its own limit %s', async (_, run) => {
    await expect(run(ownPool({}))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('that ends rolls its transaction back and frees what that had locked', async () => {
    const caller = new AbortController();
    const own = ownPool({});
    const begun = Promise.withResolvers<void>();
    const failed = inTransaction(
      own,
      async (client) => {
        await client.query('update account set balance = 0 where id = 1');
        begun.resolve();
        await client.query(sleep);
      },
      { signal: caller.signal },
    );
    await begun.promise;
    caller.abort(gone);
    await expect(failed).rejects.toBe(gone);
    expect((await pool.query('update account set balance = 10 where id = 1 returning 1')).rowCount).toBe(1);
    expect((await pool.query('select count(*) from account where balance = 0')).rows).toEqual([{ count: 0n }]);
  });
});

describe('a transaction of a pool that pipelines', () => {
  const gone = new ServiceError('cancelled', 'gone');
  const pipelined = () => ownPool({ pipeline: true });
  const balance = async () => (await pool.query('select balance from account where id = 2')).rows[0].balance;
  const set = (client: PoolClient, value: number | string) =>
    client.query({ name: 'set', text: 'update account set balance = $1 where id = 2', values: [value] });
  beforeEach(() => pool.query('update account set balance = 20 where id = 2'));

  test('sends its begin and first statements together, and its last statement with the commit', async () => {
    const sent: string[] = [];
    const own = pipelined();
    own.on('connect', (client) => {
      const query = client.query.bind(client);
      client.query = ((statement: { text: string } | string) => {
        sent.push(typeof statement === 'string' ? statement : statement.text.slice(0, 6));
        return query(statement as string).finally(() => sent.push('answer'));
      }) as typeof client.query;
    });
    const result = await inTransaction(own, async (client, commitWith) => {
      await together(client.query('select 1'), client.query('select 2'));
      return commitWith(async () => (await set(client, 0)).rowCount);
    });
    const answers = (count: number) => Array(count).fill('answer');
    expect(sent).toEqual(['begin', 'select 1', 'select 2', ...answers(3), 'update', 'commit', ...answers(2)]);
    expect([result, await balance()]).toEqual([1, 0n]);
  });

  test.each<[string, (client: PoolClient, commitWith: CommitWith) => Promise<unknown>]>([
    ['its last statement', (client, commitWith) => commitWith(() => set(client, 'no number'))],
    [
      'a statement before it',
      async (client, commitWith) => {
        await together(set(client, 0), client.query('select no_such_column'));
        await commitWith(() => set(client, 1));
      },
    ],
    [
      'a statement whose error was ignored',
      async (client, commitWith) => {
        await client.query('select no_such_column').catch(() => {});
        await commitWith(async () => {});
      },
    ],
  ])('stores nothing when %s fails, and its connection stays usable', async (_, fail) => {
    const own = pipelined();
    await expect(inTransaction(own, fail)).rejects.toThrow();
    expect(await balance()).toBe(20n);
    expect((await own.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('ends its statements when its call ends', async () => {
    const caller = new AbortController();
    const own = pipelined();
    const sleep = "select pg_sleep(60), 'in a pipeline'";
    const failed = inTransaction(own, (client) => together(set(client, 0), client.query(sleep)), caller);
    await expect.poll(() => isRunning(sleep)).toBe(true);
    caller.abort(gone);
    await expect(failed).rejects.toBe(gone);
    await expect.poll(() => isRunning(sleep)).toBe(false);
    expect(await balance()).toBe(20n);
  });
});

describe('together', () => {
  test('throws the first error after all have ended', async () => {
    const slow = Promise.withResolvers<void>();
    let ended = false;
    const both = together(Promise.reject(new Error('first')), slow.promise).finally(() => {
      ended = true;
    });
    both.catch(() => {});
    await new Promise(setImmediate);
    expect(ended).toBe(false);
    slow.resolve();
    await expect(both).rejects.toThrow('first');
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

  test('that were changed without another effect name their earlier checksum', async () => {
    const before = createHash('sha256')
      .update('create table note (id integer); insert into note values (1)')
      .digest('hex');
    await write('0002-note.sql', `-- was ${before}\ncreate table note (id integer);\n`);
    await expect(runMigrations()).resolves.toBeUndefined();
  });

  test('without a file are left alone', async () => {
    await rm(path.join(directory, '0002-note.sql'));
    await expect(runMigrations()).resolves.toBeUndefined();
  });

  test.each([['3-short.sql'], ['0003_underscore.sql'], ['0001-twice.sql']])('named %s are refused', async (name) => {
    await write(name, 'select 1');
    await expect(runMigrations()).rejects.toThrow(name);
    await rm(path.join(directory, name));
  });

  test('let those pass who wait behind them for a table', async () => {
    await write('0004-column.sql', 'alter table account add column note text;');
    const holder = await pool.connect();
    await holder.query('begin; select balance from account');
    const migrated = runMigrations();
    const seen = `
      select from pg_locks join pg_database on pg_database.oid = database and datname = current_database()
      where mode = 'AccessExclusiveLock' and not granted`;
    await expect.poll(async () => (await pool.query(seen)).rowCount).toBe(1);
    // It waits behind the migration, and the holder commits only afterwards.
    expect((await pool.query('select id from account order by id')).rows).toEqual([{ id: 1 }, { id: 2 }]);
    await holder.query('commit');
    holder.release();
    await migrated;
    expect((await pool.query('select note from account')).rowCount).toBe(2);
  });

  test('build an index while others write, and again when that was interrupted', async () => {
    await write('0005-index.sql', 'create index concurrently if not exists account_balance on account (balance);');
    const validity = async () =>
      (await pool.query("select indisvalid from pg_index where indexrelid = to_regclass('account_balance')")).rows;
    const writer = await pool.connect();
    await writer.query('begin; update account set balance = 11 where id = 1');
    const interrupted = runMigrations();
    interrupted.catch(() => {});
    await expect.poll(validity).toEqual([{ indisvalid: false }]);
    await pool.query('update account set balance = 21 where id = 2');
    // Other tests migrate their own databases of the same server.
    await pool.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'cadastre migrate' and datname = current_database()`);
    await expect(interrupted).rejects.toThrow();
    const again = Promise.all([runMigrations(), runMigrations()]);
    await writer.query('commit');
    writer.release();
    await again;
    expect(await validity()).toEqual([{ indisvalid: true }]);
    await pool.query('update account set balance = id * 10');
  });

  test.each([
    ['several statements', 'create index concurrently if not exists a on account (id); select 1;'],
    ['no name', 'create index concurrently on account (id);'],
    ['no guard', 'create index concurrently a on account (id);'],
  ])('that build an index concurrently with %s are refused', async (_, sql) => {
    await write('0006-index.sql', sql);
    await expect(runMigrations()).rejects.toThrow('0006-index.sql is not a single "create index concurrently');
    await rm(path.join(directory, '0006-index.sql'));
  });
});
