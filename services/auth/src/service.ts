import {
  createLogger,
  createMetrics,
  createOperationsServer,
  createRpcServer,
  type Logger,
  type Service,
  tlsFiles,
} from '@cadastre/service';
import { createContext } from './context.js';
import { allowedCallers, implementations } from './rpc/index.js';
import type { AuthSettings } from './settings.js';

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
  const context = createContext(settings, logger, overrides.now ?? (() => new Date()));
  const metrics = createMetrics('auth');
  const server = createRpcServer({
    name: 'auth',
    logger,
    metrics,
    address: settings.listen,
    tls: tlsFiles(settings),
    implementations: implementations(context),
    allowedCallers: allowedCallers(settings.operators),
  });
  const database = async () => void (await context.pool.query('select 1 from api_key limit 0'));
  const operations = createOperationsServer({
    address: settings.operations,
    checks: { database },
    metrics,
    logger,
    onReadiness: server.setServing,
  });
  let address = settings.listen;
  return {
    address: () => address,
    async start() {
      ({ address } = await server.start());
      await operations.start();
    },
    async stop() {
      await operations.stop();
      await server.stop();
      await context.pool.end();
    },
  };
}
