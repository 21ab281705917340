import {
  createWorkerPool,
  type Database,
  type Logger,
  type Metrics,
  openDatabase,
  reportPools,
  type WorkerPool,
  withCa,
} from '@cadastre/service';
import type { Pool } from 'pg';
import { cachedDirectory, type Directory, rememberingDirectory, storedDirectory } from './directory/directory.js';
import { scimDirectory } from './directory/scim-directory.js';
import { type IdentityProvider, noIdentityProvider, openIdConnect } from './oidc/identity-provider.js';
import type { AuthSettings } from './settings.js';
import { type CredentialSignal, createCredentialSignal } from './store/credential-changes.js';

/** The dependencies of the RPC handlers. */
export interface Context {
  database: Database;
  pool: Pool;
  /** Announces changes of credentials and blocks. */
  changes: CredentialSignal;
  /** Verifies signatures on other threads, so that a costly text does not block the service. */
  signatures: WorkerPool<SignatureTasks>;
  directory: Directory;
  /** The identity provider itself, without cache and stored accounts; absent if it has no SCIM interface. */
  providerDirectory: Directory | undefined;
  identityProvider: IdentityProvider;
  /** Where a key is valid: this registry in this environment. */
  audience: string;
  sessionLifetimeMs: number;
  sessionIdleMs: number;
  now: () => Date;
  logger: Logger;
}

/** Every statement looks up a key or writes a row. */
const statementTimeoutMs = 2000;

/** Each request runs one short statement at a time. */
const databaseConnections = 5;

/** Timeout of one request to the identity provider: of a sign-in, and about an account. */
const usualOidcTimeoutMs = 5_000;
const usualDirectoryTimeoutMs = 3_000;

/** Verifying a text takes milliseconds, at most about one second within the bounds. */
const verification = { threads: 2, maxWaiting: 8 };
const usualDeadlineMs = 3_000;
const signatureTasks = new URL('./signatures/signature-tasks.js', import.meta.url);
type SignatureTasks = typeof import('./signatures/signature-tasks.js');

/** Replaces the usual timeouts, in milliseconds; for tests. */
export interface ContextTimeouts {
  /** Verifying one signed text. */
  verificationDeadlineMs?: number | undefined;
  /** One request of a sign-in, or for signing keys. */
  oidcTimeoutMs?: number | undefined;
  /** One request to the SCIM interface. */
  directoryTimeoutMs?: number | undefined;
}

/** Makes the context from the settings. */
export function createContext(
  settings: AuthSettings,
  logger: Logger,
  metrics: Metrics,
  now: () => Date,
  o: ContextTimeouts = {},
): Context {
  const database = openDatabase(withCa(settings.databaseUrl, settings.storeCaFile));
  const pool = database.createPool({
    max: databaseConnections,
    applicationName: 'cadastre auth',
    statementTimeoutMs,
    locks: true,
  });
  reportPools(metrics, [pool]);
  const providerDirectory = createProviderDirectory(settings, o.directoryTimeoutMs);
  return {
    database,
    pool,
    changes: createCredentialSignal({ database, logger }),
    signatures: createWorkerPool<SignatureTasks>({
      tasks: signatureTasks,
      ...verification,
      deadlineMs: o.verificationDeadlineMs ?? usualDeadlineMs,
    }),
    directory: providerDirectory
      ? cachedDirectory(rememberingDirectory(providerDirectory, pool, now), now)
      : storedDirectory(pool, { creates: settings.directoryCreatesAccounts, now }),
    providerDirectory,
    identityProvider: createIdentityProvider(settings, logger, now, o.oidcTimeoutMs),
    audience: `${settings.environment}:${settings.source}`,
    sessionLifetimeMs: settings.sessionEnds.lifetime,
    sessionIdleMs: settings.sessionEnds.idle,
    now,
    logger,
  };
}

function createIdentityProvider(
  settings: AuthSettings,
  logger: Logger,
  now: () => Date,
  timeoutMs = usualOidcTimeoutMs,
): IdentityProvider {
  if (!settings.oidcIssuer) return noIdentityProvider;
  return openIdConnect({
    issuer: settings.oidcIssuer,
    clientId: settings.oidcClientId,
    clientSecret: settings.oidcClientSecret,
    redirectUrl: settings.baseUrl && `${settings.baseUrl}/session/callback`,
    audience: settings.oidcAudience,
    requiredScope: settings.oidcRequiredScope,
    timeoutMs,
    allowHttp: settings.environment !== 'production',
    now,
    logger,
  });
}

function createProviderDirectory(settings: AuthSettings, timeoutMs = usualDirectoryTimeoutMs): Directory | undefined {
  if (!settings.directoryUrl) return undefined;
  return scimDirectory({
    url: settings.directoryUrl,
    token: settings.directoryToken,
    timeoutMs,
    creates: settings.directoryCreatesAccounts,
  });
}
