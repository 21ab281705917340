import { createPool, type Logger } from '@cadastre/service';
import type { Pool } from 'pg';
import { cachedDirectory } from './directory/cached-directory.js';
import type { Directory } from './directory/directory.js';
import { scimDirectory } from './directory/scim-directory.js';
import { rememberingDirectory, storedDirectory } from './directory/stored-directory.js';
import type { AuthSettings } from './settings.js';

/** What the methods of this service work with. */
export interface Context {
  pool: Pool;
  directory: Directory;
  /** What a key is good for: this registry in this environment. */
  audience: string;
  now: () => Date;
  logger: Logger;
}

const statementTimeoutMs = 5000;

/** Wires the context from the settings. */
export function createContext(settings: AuthSettings, logger: Logger, now: () => Date): Context {
  const pool = createPool({
    url: settings.databaseUrl,
    max: settings.databaseConnections,
    applicationName: 'cadastre auth',
    statementTimeoutMs,
  });
  const audience = `${settings.environment}:${settings.source}`;
  return { pool, directory: createDirectory(settings, pool, now), audience, now, logger };
}

function createDirectory(settings: AuthSettings, pool: Pool, now: () => Date): Directory {
  if (!settings.directoryUrl) return storedDirectory(pool);
  const scim = scimDirectory({
    url: settings.directoryUrl,
    token: settings.directoryToken,
    timeoutMs: settings.directoryTimeoutMs,
    creates: settings.directoryCreatesAccounts,
  });
  return cachedDirectory(rememberingDirectory(scim, pool, now), now);
}
