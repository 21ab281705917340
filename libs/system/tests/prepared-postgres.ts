import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createLogger, migrate } from '@cadastre/service';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../src/embedded-postgres.js';
import { databaseOwners, prepareDatabase } from '../src/prepare-database.js';
import { runDirectory } from './run-directory.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The data directory of a stopped PostgreSQL with the databases of a registry that has not run yet. */
    preparedPostgres: string;
  }
}

/** Vitest's globalSetup: what the first start of each system would do again. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await runDirectory('cadastre-prepared-');
  const dataDirectory = join(directory, 'postgres');
  const server = await startEmbeddedPostgres({
    dataDirectory,
    socketDirectory: join(directory, 'socket'),
    durable: false,
  });
  const databases = await prepareDatabase(server.url);
  const logger = createLogger({ service: 'migrate', level: 'silent' });
  for (const owner of databaseOwners) {
    const directory = new URL(`../../../services/${owner}/migrations/`, import.meta.url);
    await migrate({ url: databases[owner], directory, logger });
  }
  await server.stop();
  project.provide('preparedPostgres', dataDirectory);
  return () => rm(directory, { recursive: true, force: true });
}
