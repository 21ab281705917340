import { createPool, type Logger, type Metrics, reportPools } from '@cadastre/service';
import type { Pool } from 'pg';
import { cachedDirectory } from './directory/cached-directory.js';
import type { Directory } from './directory/directory.js';
import { scimDirectory } from './directory/scim-directory.js';
import { rememberingDirectory, storedDirectory } from './directory/stored-directory.js';
import type { IdentityProvider } from './oidc/identity-provider.js';
import { noIdentityProvider } from './oidc/no-identity-provider.js';
import { openIdConnect } from './oidc/openid-connect.js';
import type { AuthSettings } from './settings.js';

/** What the methods of this service work with. */
export interface Context {
  pool: Pool;
  directory: Directory;
  identityProvider: IdentityProvider;
  /** What a key is good for: this registry in this environment. */
  audience: string;
  sessionLifetimeMs: number;
  sessionIdleMs: number;
  now: () => Date;
  logger: Logger;
}

const statementTimeoutMs = 5000;

/** Wires the context from the settings. */
export function createContext(settings: AuthSettings, logger: Logger, metrics: Metrics, now: () => Date): Context {
  const pool = createPool({
    url: settings.databaseUrl,
    max: settings.databaseConnections,
    applicationName: 'cadastre auth',
    statementTimeoutMs,
  });
  reportPools(metrics, [pool]);
  const audience = `${settings.environment}:${settings.source}`;
  return {
    pool,
    directory: createDirectory(settings, pool, now),
    identityProvider: createIdentityProvider(settings, logger, now),
    audience,
    sessionLifetimeMs: settings.sessionLifetimeMs,
    sessionIdleMs: settings.sessionIdleMs,
    now,
    logger,
  };
}

function createIdentityProvider(settings: AuthSettings, logger: Logger, now: () => Date): IdentityProvider {
  if (!settings.oidcIssuer) return noIdentityProvider;
  return openIdConnect({
    issuer: settings.oidcIssuer,
    clientId: settings.oidcClientId,
    clientSecret: settings.oidcClientSecret,
    redirectUrl: settings.oidcRedirectUrl,
    audience: settings.oidcAudience,
    requiredScope: settings.oidcRequiredScope,
    timeoutMs: settings.oidcTimeoutMs,
    allowHttp: settings.environment !== 'production',
    now,
    logger,
  });
}

function createDirectory(settings: AuthSettings, pool: Pool, now: () => Date): Directory {
  const { directoryCreatesAccounts: creates } = settings;
  if (!settings.directoryUrl) return storedDirectory(pool, { creates, now });
  const scim = scimDirectory({
    url: settings.directoryUrl,
    token: settings.directoryToken,
    timeoutMs: settings.directoryTimeoutMs,
    creates,
  });
  return cachedDirectory(rememberingDirectory(scim, pool, now), now);
}
