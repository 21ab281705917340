import { SettingsError } from '@cadastre/service';
import type { Context } from '../context.js';
import type { FileStore } from '../files/file-store.js';
import type { Job } from '../leases.js';
import type { MirrorSettings } from '../settings.js';
import { dumpJob } from './dump-job.js';
import { createDumpMetrics } from './dump-metrics.js';

/** The job that writes the dumps of the settings, if there are any. Throws a SettingsError for unknown sources. */
export function dumps(
  settings: Pick<MirrorSettings, 'dumped' | 'dumpTime' | 'termsUrl' | 'source' | 'grsSources'>,
  { pool, objects, now, logger, metrics }: Pick<Context, 'pool' | 'objects' | 'now' | 'logger' | 'metrics'>,
  store: FileStore | undefined,
): readonly Job[] {
  const { dumped, dumpTime: time, termsUrl } = settings;
  const known = new Set([settings.source, ...settings.grsSources].map((name) => name.toUpperCase()));
  const sources = [...new Set(dumped.map((name) => name.toUpperCase()))].sort();
  const unknown = sources.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new SettingsError([`CADASTRE_MIRROR_DUMPS: unknown source ${unknown.join(', ')}`]);
  if (sources.length === 0 || store === undefined) return [];
  const around = { pool, store, objects, now, logger };
  return [dumpJob({ sources, time, termsUrl, ...around, metrics: createDumpMetrics(metrics, sources) })];
}
