import { createLogger, createMetrics, createRpcService, type Logger, mutualTls, type Service } from '@cadastre/service';
import { createContext } from './context.js';
import { allowedCallers, implementations } from './rpc/index.js';
import type { AuthSettings } from './settings.js';

export { authSettings } from './settings.js';

/** What tests and programs may put in place of the usual parts. */
export interface AuthOverrides {
  logger?: Logger;
  now?: () => Date;
}

/** Makes the auth service; `address` is known after `start`. */
export async function createAuthService(
  settings: AuthSettings,
  overrides: AuthOverrides = {},
): Promise<Service & { address(): string }> {
  const logger = overrides.logger ?? createLogger({ service: 'auth', level: settings.logLevel });
  const metrics = createMetrics('auth');
  const context = createContext(settings, logger, metrics, overrides.now ?? (() => new Date()));
  return createRpcService({
    name: 'auth',
    settings,
    logger,
    implementations: implementations(context),
    metrics,
    tls: mutualTls(settings, { logger, metrics }),
    allowedCallers,
    checks: { database: async () => void (await context.pool.query('select 1 from api_key limit 0')) },
    release: () => context.pool.end(),
  });
}
