import {
  createMetrics,
  createOperationsServer,
  createRpcServer,
  type Logger,
  type Service,
  tlsFiles,
} from '@cadastre/service';
import { createAccountsClient } from './accounts-client.js';
import { createContext } from './context.js';
import { delegationCheckOf } from './dns/dns-settings.js';
import { allowedCallers, implementations } from './implementations.js';
import { policyOf } from './policy-settings.js';
import type { Settings } from './settings.js';

/** Where the migrations of the database stand, for `migrate`. */
export const migrations = new URL('../migrations/', import.meta.url);

/** Makes the objects service on a database that has been migrated; `address` tells where it listens once started. */
export async function createObjectsService(
  settings: Settings,
  logger: Logger,
): Promise<Service & { address(): string }> {
  const tls = tlsFiles(settings);
  const accounts = createAccountsClient({ address: settings.authAddress, tls });
  const { context, close } = await createContext({
    ...settings,
    policy: policyOf(settings),
    accounts,
    delegations: delegationCheckOf(settings, logger),
    clock: () => new Date(),
    logger,
  });
  const metrics = createMetrics('objects');
  const server = createRpcServer({
    name: 'objects',
    logger,
    metrics,
    address: settings.listen,
    tls,
    implementations: implementations(context),
    allowedCallers: allowedCallers(settings.operators),
  });
  const operations = createOperationsServer({
    address: settings.operations,
    checks: {
      database: async () => {
        await context.readPool.query('select 1 from source limit 1');
      },
    },
    metrics,
    logger,
    onReadiness: (ready) => server.setServing(ready),
  });
  let address = settings.listen;
  return {
    address: () => address,
    async start() {
      ({ address } = await server.start());
      await operations.start();
      logger.info({ address }, 'listening');
    },
    async stop() {
      await operations.stop();
      await context.changes.stop(); // followers of the feed would never end by themselves
      await server.stop();
      accounts.close();
      await close();
    },
  };
}
