import { SettingsError } from '@cadastre/service';
import type { Context } from '../context.js';
import type { FileStore } from '../files/file-store.js';
import type { Job } from '../leases.js';
import { publicSources } from '../public-source.js';
import type { MirrorSettings } from '../settings.js';
import { reportKeyDates } from './key-dates.js';
import { publishJob } from './publish-job.js';
import { publishMetrics } from './publish-metrics.js';
import { followSigningKeys } from './signing-keys.js';

/** The jobs of all publications. */
export interface Publications {
  /** Names of the published sources, by name. */
  readonly sources: readonly string[];
  readonly jobs: readonly Job[];
  stop(): void;
}

/** Makes the jobs that publish sources. Throws a SettingsError for unknown sources and unusable keys. */
export async function publications(
  settings: Pick<
    MirrorSettings,
    'published' | 'keysDirectory' | 'sourceBytes' | 'source' | 'grsSources' | 'publicTexts'
  >,
  context: Pick<Context, 'pool' | 'objects' | 'now' | 'logger' | 'metrics'>,
  store: FileStore | undefined,
): Promise<Publications> {
  const sources = publicSources('CADASTRE_MIRROR_PUBLISH', settings.published, settings);
  if (sources.length === 0 || store === undefined) return { sources: [], jobs: [], stop: () => {} };
  const { keysDirectory } = settings;
  if (keysDirectory === undefined) {
    throw new SettingsError(['CADASTRE_MIRROR_KEYS_DIR: is required with CADASTRE_MIRROR_PUBLISH']);
  }
  const { pool, objects, now, logger } = context;
  const keys = await followSigningKeys(keysDirectory, logger);
  reportKeyDates(keysDirectory, keys.current, context.metrics);
  const metrics = publishMetrics(context.metrics, now);
  const shared = { pool, store, maxBytes: settings.sourceBytes, objects, keys: keys.current, now, logger, metrics };
  const names = sources.map(({ name }) => name);
  const jobs = sources.map((source) => publishJob({ source, ...shared }));
  return { sources: names, jobs: [indexJob(store, names), ...jobs], stop: keys.stop };
}

/** The page that lists the sources for clients: the texts of its links are their names. */
function indexJob(store: FileStore, names: readonly string[]): Job {
  return {
    name: 'publish index',
    async run({ signal }) {
      const links = names.map((name) => `<a href="${name}/update-notification-file.jose">${name}</a><br/>\n`);
      const page = `<!DOCTYPE html>\n<html><head><title>NRTMv4</title></head><body>\n${links.join('')}</body></html>\n`;
      const headers = { contentType: 'text/html; charset=utf-8', cacheControl: 'public, max-age=60' };
      await store.put('nrtmv4/index.html', Buffer.from(page), { ...headers, signal });
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    },
  };
}
