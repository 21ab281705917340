import { createRpcService, defineProgram, type Logger, type Service, serviceBasis } from '@cadastre/service';
import { type ContextTimeouts, createContext } from './context.js';
import { accountChecks } from './directory/account-checks.js';
import { allowedCallers, implementations } from './rpc/index.js';
import { type AuthSettings, authSettings } from './settings.js';

export { authSettings };

/** Replaces parts of the service; for tests. */
export interface AuthOverrides extends ContextTimeouts {
  logger?: Logger;
  now?: () => Date;
  /** Time between two rounds of account checks. */
  checkRoundMs?: number;
}

/** Makes the auth service; `address` works after `start`. */
export async function createAuthService(
  settings: AuthSettings,
  overrides: AuthOverrides = {},
): Promise<Service & { address(): string }> {
  const basis = serviceBasis('auth', settings, overrides.logger);
  const { logger, metrics } = basis;
  const clock = overrides.now ?? (() => new Date());
  const context = createContext(settings, logger, metrics, clock, overrides);
  const { database, pool, changes, signatures, providerDirectory: directory, now } = context;
  const accounts =
    directory && accountChecks({ pool, directory, now, logger, metrics, roundMs: overrides.checkRoundMs });
  return createRpcService({
    ...basis,
    implementations: implementations(context),
    allowedCallers,
    checks: {
      database: async () => {
        await database.check();
        await pool.query('select 1 from api_key limit 0');
      },
    },
    prepare: async () => {
      await changes.start();
      await accounts?.start();
    },
    // A running check ends while the server stops; the streams of changes would not end by themselves.
    drain: async () => {
      void accounts?.stop();
      await changes.stop();
    },
    release: async () => {
      await accounts?.stop();
      await signatures.close();
      await pool.end();
    },
  });
}

/** The service as a program. */
export const program = defineProgram('auth', authSettings, (settings, logger) =>
  createAuthService(settings, { logger }),
);
