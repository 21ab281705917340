import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from './logger.js';

/** An arbitrary number; all migrations of a database must use the same. */
const lockNumber = 7_203_114;

/**
 * While a statement waits for the lock of a table, all later statements wait behind it. So a migration waits only this
 * long, then lets the others pass before its next attempt.
 */
const lockTimeoutMs = 200;
const pauseMs = 500;
const maxWaitMs = 20 * 60_000;

interface Migration {
  version: number;
  name: string;
  sql: string;
  checksum: string;
  /** The index that it builds outside a transaction, without blocking writes. */
  concurrentIndex?: string;
}

/**
 * Brings a database to the newest schema: runs the files NNNN-name.sql of the directory that have not run yet, in
 * order, each in one transaction, one process at a time. Forward only; running it again does nothing. Throws when a
 * file changed after it ran. Accepts a database that is ahead of the files, which older code may see.
 * A file with a single `create index concurrently if not exists NAME` runs outside a transaction. If an earlier attempt
 * left an invalid index, drops that first. A file with the line `-- was SHA256` counts as the file with that checksum
 * in an earlier release, also for that release.
 */
export async function migrate(o: { url: string; directory: URL; logger: Logger }): Promise<void> {
  const migrations = await readMigrations(o.directory);
  const client = new pg.Client({ connectionString: o.url, application_name: 'cadastre migrate' });
  // A lost connection fails the running statement, which is reported; the idle event must not end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await lock(client);
    const applied = await readApplied(client);
    for (const migration of migrations) {
      const checksum = applied.get(migration.version);
      if (checksum === undefined) await apply(client, migration, o.logger);
      else if (checksum !== migration.checksum) throw new Error(`migration ${migration.name} was changed after it ran`);
    }
  } finally {
    await client.end();
  }
}

/** Polls: the build of a concurrent index waits for all running statements, also for one that waits for a lock. */
async function lock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [lockNumber]);
    if (rows[0]!.locked) return;
    await delay(pauseMs);
  }
}

async function readMigrations(directory: URL): Promise<Migration[]> {
  const base = directory.href.endsWith('/') ? directory : new URL(`${directory.href}/`);
  const names = (await readdir(base)).filter((name) => name.endsWith('.sql')).sort();
  const migrations = await Promise.all(names.map((name) => readMigration(base, name)));
  const twice = migrations.find((one, index) => one.version === migrations[index - 1]?.version);
  if (twice) throw new Error(`two migrations have the number of ${twice.name}`);
  return migrations;
}

async function readMigration(base: URL, name: string): Promise<Migration> {
  const match = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(name);
  if (!match) throw new Error(`migration ${name} is not named NNNN-name.sql`);
  const sql = await readFile(new URL(name, base), 'utf8');
  const earlier = /^-- was ([0-9a-f]{64})$/m.exec(sql)?.[1];
  const checksum = earlier ?? createHash('sha256').update(sql).digest('hex');
  return { version: Number(match[1]), name, sql, checksum, concurrentIndex: concurrentIndexOf(name, sql) };
}

async function readApplied(client: pg.Client): Promise<Map<number, string>> {
  await client.query(`
    create table if not exists schema_migration (
      version integer primary key,
      name text not null,
      checksum text not null,
      applied timestamptz not null default now()
    )`);
  const { rows } = await client.query<{ version: number; checksum: string }>(
    'select version, checksum from schema_migration',
  );
  return new Map(rows.map((row) => [row.version, row.checksum]));
}

/** PostgreSQL would run several statements of one query as one transaction. */
function concurrentIndexOf(name: string, sql: string): string | undefined {
  const statements = sql.replace(/--.*$/gm, '').trim();
  if (!/\bconcurrently\b/i.test(statements)) return undefined;
  const match = /^create (?:unique )?index concurrently if not exists (\w+) on [^;]+;$/i.exec(statements);
  if (!match)
    throw new Error(`migration ${name} is not a single "create index concurrently if not exists NAME on ...;"`);
  return match[1]!;
}

async function apply(client: pg.Client, migration: Migration, logger: Logger): Promise<void> {
  if (migration.concurrentIndex === undefined) await applyInTransaction(client, migration, logger);
  else await buildIndex(client, migration, migration.concurrentIndex, logger);
  logger.info({ migration: migration.name }, 'migrated');
}

async function applyInTransaction(client: pg.Client, migration: Migration, logger: Logger): Promise<void> {
  const giveUp = Date.now() + maxWaitMs;
  for (;;) {
    try {
      await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}`);
      // A query without parameters may hold many statements.
      await client.query(migration.sql);
      await record(client, migration);
      await client.query('commit');
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== lockNotAvailable || Date.now() > giveUp) throw error;
      await client.query('rollback');
      logger.info({ migration: migration.name }, 'waiting for a table that others use');
      await delay(pauseMs);
    }
  }
}

const lockNotAvailable = '55P03';

async function buildIndex(client: pg.Client, migration: Migration, index: string, logger: Logger): Promise<void> {
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  );
  if (rowCount !== 0) {
    logger.info({ migration: migration.name, index }, 'dropping what an interrupted migration left');
    await client.query(`drop index concurrently ${index}`);
  }
  await client.query(migration.sql);
  await record(client, migration);
}

async function record(client: pg.Client, { version, name, checksum }: Migration): Promise<void> {
  await client.query('insert into schema_migration (version, name, checksum) values ($1, $2, $3)', [
    version,
    name,
    checksum,
  ]);
}
