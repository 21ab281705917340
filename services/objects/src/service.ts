import { createMetrics, createRpcService, type Logger, mutualTls, type Service } from '@cadastre/service';
import { createAccountsClient } from './accounts-client.js';
import { allowedCallers } from './allowed-callers.js';
import { createContext } from './context.js';
import { delegationCheckOf } from './dns/dns-settings.js';
import { implementations } from './implementations.js';
import { policyOf } from './policy-settings.js';
import type { Settings } from './settings.js';

/** Where the migrations of the database stand, for `migrate`. */
export const migrations = new URL('../migrations/', import.meta.url);

/** Makes the objects service on a database that has been migrated; `address` tells where it listens once started. */
export async function createObjectsService(
  settings: Settings,
  logger: Logger,
): Promise<Service & { address(): string }> {
  const metrics = createMetrics('objects');
  const tls = mutualTls(settings, { logger, metrics });
  const accounts = createAccountsClient({ address: settings.authAddress, tls, metrics });
  const { context, close } = await createContext({
    ...settings,
    policy: policyOf(settings),
    accounts,
    delegations: delegationCheckOf(settings, logger),
    clock: () => new Date(),
    logger,
    metrics,
  });
  return createRpcService({
    name: 'objects',
    settings,
    logger,
    metrics,
    tls,
    implementations: implementations(context),
    allowedCallers,
    checks: { database: async () => void (await context.readPool.query('select 1 from source limit 1')) },
    // Followers of the feed would never end by themselves.
    drain: () => context.changes.stop(),
    release: async () => {
      accounts.close();
      await close();
    },
  });
}
