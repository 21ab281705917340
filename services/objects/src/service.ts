import {
  createRpcService,
  defineProgram,
  type Logger,
  onceAvailable,
  type Service,
  serviceBasis,
  withCa,
} from '@cadastre/service';
import { createAccountsClient } from './accounts-client.js';
import { type Context, createContext } from './context.js';
import { delegationCheckOf } from './dns/dns-settings.js';
import { operatorsOf } from './domain/policy.js';
import { webhookSecrets } from './domain/webhooks.js';
import { policyOf } from './policy-settings.js';
import { changeTrimming, noticeRemoval } from './removal-rounds.js';
import { reportStorage, reportUnfinishedReplaces, reportWaitingNotifications, reportWebhooks } from './report-use.js';
import { allowedCallers, implementations } from './rpc/index.js';
import { publicCallers } from './rpc/registry-object.js';
import { type ObjectsSettings, objectsSettings } from './settings.js';
import { missingKeys } from './store/objects.js';

/** Replaces parts of the service; for tests. */
interface ObjectsOverrides {
  logger?: Logger;
  /** How long a start waits for the database. */
  databaseWaitMs?: number;
}

/** Makes the objects service on a migrated database, for which it waits; `address` is known after `start`. */
export async function createObjectsService(
  settings: ObjectsSettings,
  overrides: ObjectsOverrides = {},
): Promise<Service & { address(): string }> {
  const basis = serviceBasis('objects', settings, overrides.logger);
  const { logger, metrics, tls } = basis;
  const { databaseWaitMs } = overrides;
  const accounts = createAccountsClient({ address: settings.authAddress, tls, metrics });
  const { context, close } = await createContext({
    ...settings,
    databaseUrl: withCa(settings.databaseUrl, settings.storeCaFile),
    readDatabaseUrl: settings.readDatabaseUrl && withCa(settings.readDatabaseUrl, settings.storeCaFile),
    policy: policyOf(settings),
    storageQuota: settings.storageQuota,
    notifies: settings.notifications,
    webhooks: webhooksOf(settings),
    publicCallers,
    accounts,
    delegations: delegationCheckOf(settings, logger),
    clock: () => new Date(),
    databaseWaitMs,
    logger,
    metrics,
  });
  await onceAvailable(() => warnOfMissingOperators(context, logger), { logger, limitMs: databaseWaitMs });
  reportUnfinishedReplaces(metrics, context);
  reportStorage(metrics, context);
  reportWaitingNotifications(metrics, context);
  if (context.webhooks !== undefined) reportWebhooks(metrics, context);
  const removal = noticeRemoval({ context, logger });
  const { changeDays: days, grsVersions: keepsVersionsOfCopies } = settings;
  const trimming = days > 0 ? changeTrimming({ context, days, keepsVersionsOfCopies, logger, metrics }) : undefined;
  return createRpcService({
    ...basis,
    implementations: implementations(context),
    allowedCallers,
    checks: {
      database: async () => {
        await context.database.check();
        await context.readPool.query('select 1 from source limit 1');
      },
    },
    prepare: async () => {
      await trimming?.start();
      await removal.start();
    },
    // Feed streams never end by themselves.
    drain: () => context.changes.stop(),
    release: async () => {
      await trimming?.stop();
      await removal.stop();
      accounts.close();
      await close();
    },
  });
}

function webhooksOf({ webhookKey, webhooksAnywhere: anywhere }: ObjectsSettings) {
  return webhookKey === undefined ? undefined : { secrets: webhookSecrets(webhookKey), anywhere };
}

/** Only a bulk load can create them, and without them no caller can write the operator's objects. */
async function warnOfMissingOperators({ readPool, sources, policy }: Context, logger: Logger): Promise<void> {
  const missing = (await missingKeys(readPool, sources.main.id, operatorsOf(policy))).map(({ key }) =>
    key.toUpperCase(),
  );
  if (missing.length > 0) logger.warn({ missing }, 'operator maintainers do not exist: load them');
}

/** The service as a program. */
export const program = defineProgram('objects', objectsSettings, (settings, logger) =>
  createObjectsService(settings, { logger }),
);
