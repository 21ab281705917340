import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../src/embedded-postgres.js';
import { runDirectory } from './run-directory.js';

/** Vitest's globalSetup: one PostgreSQL server for the whole run, or the one of CADASTRE_TEST_POSTGRES_URL. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const existing = process.env.CADASTRE_TEST_POSTGRES_URL;
  if (existing) {
    project.provide('postgresUrl', existing);
    return undefined;
  }
  const directory = await runDirectory('cadastre-postgres-');
  const server = await startEmbeddedPostgres({
    dataDirectory: path.join(directory, 'data'),
    socketDirectory: path.join(directory, 'socket'),
    durable: false,
    settings: { max_connections: '200' },
  });
  project.provide('postgresUrl', server.url);
  return async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  };
}
