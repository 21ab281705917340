import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { inject } from 'vitest';
import { migrate } from '../src/migrate.js';
import type { Handlers, RpcClient, ServiceDefinition } from '../src/rpc/types.js';
import { inMemory } from './in-memory.js';
import { keepSecret, testLogger } from './test-logs.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the PostgreSQL server that vitest's globalSetup started. */
    postgresUrl: string;
  }
}

/**
 * A client that runs the real handlers without a socket, with the same mapping of errors. A method without a handler
 * fails like one that a server of the previous release does not know.
 */
export function inMemoryClient<D extends ServiceDefinition>(
  definition: D,
  handlers: Partial<Handlers<D>>,
): RpcClient<D> & { close(): void } {
  return inMemory(definition, handlers, testLogger());
}

/** A fresh, migrated database for one test file; drop it in `afterAll`, after closing every pool. */
export async function testDatabase(migrations: URL): Promise<TestDatabase> {
  return createDatabase(await migratedTemplate(migrations));
}

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** An empty database, for a program that makes its own tables. */
export function emptyTestDatabase(): Promise<TestDatabase> {
  return createDatabase('template1');
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer((client) => client.query(`create database ${name} template ${template} strategy file_copy`));
  const url = urlOf(name);
  keepSecret(decodeURIComponent(new URL(url).password));
  return { url, drop: () => administer((client) => client.query(`drop database if exists ${name} with (force)`)) };
}

/** The name of a database of the server with these migrations, which the first test that needs it makes. */
async function migratedTemplate(migrations: URL): Promise<string> {
  const hash = createHash('sha256');
  const directory = fileURLToPath(migrations);
  for (const file of (await readdir(directory)).sort())
    hash.update(file).update(await readFile(path.join(directory, file)));
  const name = `migrated_${hash.digest('hex').slice(0, 32)}`;
  await administer(async (client) => {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 1) return;
    const unfinished = `${name}_new`;
    await client.query(`drop database if exists ${unfinished} with (force)`);
    await client.query(`create database ${unfinished} strategy file_copy`);
    await migrate({ url: urlOf(unfinished), directory: migrations, logger: testLogger() });
    await client.query(`alter database ${unfinished} rename to ${name}`);
  });
  return name;
}

function urlOf(database: string): string {
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${database}`;
  return url.href;
}

/** Works on the server; the end of the connection ends its locks. */
async function administer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(inject('postgresUrl'));
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** A clock that only a test moves. */
export interface FixedClock {
  /** The current time of this clock. */
  now(): Date;
  /** Moves it forward. */
  advance(ms: number): void;
  /** Sets it. */
  set(time: Date | string): void;
}

/** Whether a program is in a folder of PATH. */
export function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, program)));
}

/**
 * Whether to skip tests because something is missing on this machine: then prints what is skipped and why. In the gate
 * (CI=true) nothing that it installs may be missing; `isOptional` marks what it does not install.
 */
export function isSkipped(tests: string, missing: readonly string[], o: { isOptional?: boolean } = {}): boolean {
  if (missing.length === 0) return false;
  const text = `${tests}: missing ${missing.join(', ')}`;
  if (process.env.CI === 'true' && !o.isOptional) throw new Error(text);
  console.warn(`SKIPPED: ${text}`);
  return true;
}

/** Makes a clock that shows `start`. */
export function fixedClock(start: Date | string): FixedClock {
  let time = new Date(start);
  return {
    now: () => new Date(time),
    advance: (ms) => {
      time = new Date(time.getTime() + ms);
    },
    set: (next) => {
      time = new Date(next);
    },
  };
}

export { sourceArguments } from '../src/run-sources.js';
export { type ForwardProxy, startForwardProxy } from './forward-proxy.js';
export { type Authority, type CertificateFiles, createAuthority, replaceCertificate } from './test-certificates.js';
export { keepHeadersSecret, keepSecret, testLogger } from './test-logs.js';
