import type { Context } from '../context.js';
import type { FileStore } from '../files/file-store.js';
import type { Job } from '../leases.js';
import { publicSources } from '../public-source.js';
import type { MirrorSettings } from '../settings.js';
import { dumpJob } from './dump-job.js';
import { createDumpMetrics } from './dump-metrics.js';

/** The job that writes the dumps of the settings, if there are any. Throws a SettingsError for unknown sources. */
export function dumps(
  settings: Pick<
    MirrorSettings,
    'dumped' | 'dumpTime' | 'sourceBytes' | 'termsUrl' | 'source' | 'grsSources' | 'publicTexts'
  >,
  { pool, objects, now, logger, metrics }: Pick<Context, 'pool' | 'objects' | 'now' | 'logger' | 'metrics'>,
  store: FileStore | undefined,
): readonly Job[] {
  const { dumped, dumpTime: time, sourceBytes: maxBytes, termsUrl } = settings;
  const sources = publicSources('CADASTRE_MIRROR_DUMPS', dumped, settings);
  if (sources.length === 0 || store === undefined) return [];
  const names = sources.map(({ name }) => name);
  const around = { pool, store, maxBytes, objects, now, logger, metrics: createDumpMetrics(metrics, names) };
  return [dumpJob({ sources, time, termsUrl, ...around })];
}
