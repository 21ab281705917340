import {
  createRpcService,
  defineProgram,
  type Logger,
  openDatabase,
  reportPools,
  type Service,
  serviceBasis,
  withCa,
} from '@cadastre/service';
import type { Context } from './context.js';
import { dumps } from './dumps/dump-job.js';
import { chooseStore } from './files/choose-store.js';
import type { FileStore } from './files/file-store.js';
import { followMetrics } from './follow/follow-metrics.js';
import { followJob } from './follow/follow-source.js';
import { type Origins, readOriginsFile } from './follow/read-origins.js';
import { type Job, leasedJobs } from './leases.js';
import { connectObjects, type Objects } from './objects-client.js';
import { publications } from './publish/publish-job.js';
import { allowedCallers, implementations } from './rpc/index.js';
import { type MirrorSettings, mirrorSettings } from './settings.js';

/** Directory of the migrations, for `migrate`. */
export const migrations = new URL('../migrations/', import.meta.url);

/** Replacements of the usual parts in tests. */
export interface MirrorOverrides {
  readonly logger?: Logger;
  readonly objects?: Objects;
  readonly files?: FileStore;
  readonly now?: () => Date;
  readonly origins?: Origins;
}

/** Every statement reads or writes a few rows. */
const statementTimeoutMs = 5_000;
const databaseConnections = 5;
/** Requests contain only the name of a source. */
const maxMessageBytes = 64 * 1024;

/**
 * Makes the mirror service: it publishes our sources and follows sources of others. `address` works after `start`.
 * Throws a SettingsError when the settings contradict each other.
 */
export async function createMirrorService(
  settings: MirrorSettings,
  overrides: MirrorOverrides = {},
): Promise<Service & { address(): string }> {
  const basis = serviceBasis('mirror', settings, overrides.logger);
  const { logger, metrics, tls } = basis;
  const database = openDatabase(withCa(settings.databaseUrl, settings.storeCaFile));
  const pool = database.createPool({
    max: databaseConnections,
    applicationName: 'cadastre mirror',
    statementTimeoutMs,
    locks: true,
  });
  reportPools(metrics, [pool]);
  const objects = overrides.objects ?? connectObjects({ address: settings.objectsAddress, tls, metrics });
  const files =
    overrides.files ?? (settings.published.length + settings.dumped.length > 0 ? chooseStore(settings) : undefined);
  const { now = () => new Date() } = overrides;
  const context: Context = { pool, objects, files, now, logger, metrics };
  const published = await publications(settings, context, files);
  const origins = overrides.origins ?? originsOf(settings);
  const followed = { pool, objects, now, logger, metrics: followMetrics(metrics, now) };
  const followers = [...origins].map(([source, origin]) => followJob({ source, origin, ...followed }));
  const jobs: readonly Job[] = [...published.jobs, ...followers, ...dumps(settings, context, files)];
  const leases = leasedJobs({ pool, jobs, logger, metrics });
  return createRpcService({
    ...basis,
    implementations: implementations({ pool, published: published.sources, origins, logger }),
    allowedCallers,
    maxMessageBytes,
    // Jobs wait for the objects service and for the store: without either, this service still answers requests about
    // mirrors.
    checks: {
      database: async () => {
        await database.check();
        await pool.query('select from lease limit 0');
      },
    },
    prepare: () => leases.start(),
    drain: () => leases.stop(),
    release: async () => {
      published.stop();
      objects.close();
      files?.close();
      await pool.end();
    },
  });
}

function originsOf({ originsFile, grsSources, egressProxy }: MirrorSettings): Origins {
  return originsFile === undefined ? new Map() : readOriginsFile(originsFile, grsSources, egressProxy);
}

/** The service as a program. */
export const program = defineProgram('mirror', mirrorSettings, (settings, logger) =>
  createMirrorService(settings, { logger }),
);
