import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import type { Logger } from './logger.js';

/** An arbitrary number; all migrations of a database must use the same. */
const lockNumber = 7_203_114;

interface Migration {
  version: number;
  name: string;
  sql: string;
  checksum: string;
}

/**
 * Brings a database to the newest schema: runs the files NNNN-name.sql of the directory that have not run yet, in
 * order, each in one transaction, under an advisory lock. Forward only; running it again does nothing. Throws when a
 * file changed after it ran. Accepts a database that is ahead of the files, which older code may see.
 */
export async function migrate(o: { url: string; directory: URL; logger: Logger }): Promise<void> {
  const migrations = await readMigrations(o.directory);
  const client = new pg.Client({ connectionString: o.url, application_name: 'cadastre migrate' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockNumber]);
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
  return { version: Number(match[1]), name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
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

async function apply(client: pg.Client, migration: Migration, logger: Logger): Promise<void> {
  await client.query('begin');
  // A query without parameters may hold many statements.
  await client.query(migration.sql);
  await client.query('insert into schema_migration (version, name, checksum) values ($1, $2, $3)', [
    migration.version,
    migration.name,
    migration.checksum,
  ]);
  await client.query('commit');
  logger.info({ migration: migration.name }, 'migrated');
}
