import { errorText, keepTrying, pause, SettingsError } from '@cadastre/service';
import pLimit from 'p-limit';
import type { Context } from '../context.js';
import type { FileStore } from '../files/file-store.js';
import type { Job } from '../leases.js';
import { publicSources } from '../public-source.js';
import type { MirrorSettings } from '../settings.js';
import { reportKeyDates } from './key-dates.js';
import { publishMetrics } from './publish-metrics.js';
import { createPublisher, type PublisherOptions } from './publisher.js';
import { deltaIntervalMs } from './schedule.js';
import { followSigningKeys } from './signing-keys.js';
import { recordOutcome } from './state.js';

const pauses = { firstMs: 1_000, maxMs: deltaIntervalMs };

/** Publishes a source: a round each minute, and concurrently a snapshot when one is due. */
function publishJob(o: PublisherOptions): Job {
  const { pool, now, logger, metrics } = o;
  const { name: source } = o.source;
  return {
    name: `publish ${source}`,
    async run(lease) {
      const publisher = createPublisher(o);
      const oneAtATime = pLimit(1);
      const round = () => oneAtATime(() => metrics.time('round', () => publisher.round(lease)));
      const rounds = keepTrying(
        {
          async work(signal) {
            const began = performance.now();
            await round();
            await recordOutcome(pool, source, now());
            await pause(began + deltaIntervalMs - performance.now(), signal);
          },
          onFailure(error, pauseMs) {
            const reason = errorText(error);
            metrics.failed(source, 'round');
            logger.warn({ source, reason, pauseMs }, 'cannot publish');
            recordOutcome(pool, source, now(), reason).catch((cause) => {
              logger.warn({ source, reason: errorText(cause) }, 'cannot record that publishing failed');
            });
          },
          pauses,
        },
        lease.signal,
      );
      const snapshots = keepTrying(
        {
          async work(signal) {
            if (await publisher.snapshot(lease)) await round();
            await pause(deltaIntervalMs, signal);
          },
          onFailure(error, pauseMs) {
            metrics.failed(source, 'snapshot');
            logger.warn({ source, reason: errorText(error), pauseMs }, 'cannot write snapshot');
          },
          pauses,
        },
        lease.signal,
      );
      await Promise.all([rounds, snapshots]);
      metrics.left(source);
    },
  };
}

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
