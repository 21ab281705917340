import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { migrate } from './migrate.js';
import { inMemory } from './rpc/in-memory.js';
import type { Handlers, RpcClient, ServiceDefinition } from './rpc/types.js';
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
  const database = await emptyTestDatabase();
  await migrate({ url: database.url, directory: migrations, logger: testLogger() });
  return database;
}

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** An empty database, for a program that makes its own tables. */
export async function emptyTestDatabase(): Promise<TestDatabase> {
  const server = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `create database ${name} strategy file_copy`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  keepSecret(decodeURIComponent(url.password));
  return { url: url.href, drop: () => administer(server, `drop database if exists ${name} with (force)`) };
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
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

export { sourceArguments } from './run-sources.js';
export { type Authority, type CertificateFiles, createAuthority } from './test-certificates.js';
export { keepHeadersSecret, keepSecret, testLogger } from './test-logs.js';
