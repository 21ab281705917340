import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createLogger, migrate, readSettings } from '@cadastre/service';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../src/embedded-postgres.js';
import { openIdentityAccounts } from '../src/identity-accounts.js';
import { databaseOwners, prepareDatabase } from '../src/prepare-database.js';
import { dataPaths, runSettings } from '../src/run-settings.js';
import { runDirectory } from './run-directory.js';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * A data directory that no system uses: a stopped PostgreSQL with the databases of a registry that has not run yet,
     * and the accounts and keys of the local identity provider.
     */
    preparedData: string;
  }
}

/** Vitest's globalSetup: what the first start of each system would do again. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await runDirectory('cadastre-prepared-');
  const paths = dataPaths(readSettings(runSettings, { CADASTRE_DATA_DIR: join(directory, 'data') }));
  await mkdir(paths.directory, { mode: 0o700 });
  // Makes an RSA key: 0.3 s of CPU.
  openIdentityAccounts(paths.accounts);
  const server = await startEmbeddedPostgres({
    dataDirectory: paths.database,
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
  project.provide('preparedData', paths.directory);
  return () => rm(directory, { recursive: true, force: true });
}
