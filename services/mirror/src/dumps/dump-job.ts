import { errorText, type Logger, type Metrics, pause } from '@cadastre/service';
import type { Pool } from 'pg';
import { Counter, Gauge } from 'prom-client';
import type { Context } from '../context.js';
import { boundedFolder } from '../files/bounded-folder.js';
import type { FileStore } from '../files/file-store.js';
import type { Job, Lease } from '../leases.js';
import type { Objects } from '../objects-client.js';
import { type PublicSource, publicSources } from '../public-source.js';
import type { MirrorSettings } from '../settings.js';
import { isDumpDue } from './schedule.js';
import { readDumps, recordDump } from './state.js';
import { dumpFolder, dumpNames, writeDump } from './write-dump.js';

export interface DumpJobOptions {
  readonly sources: readonly PublicSource[];
  /** Time of day, "HH:MM". */
  readonly time: string;
  readonly termsUrl: string;
  readonly pool: Pool;
  readonly store: FileStore;
  /** Maximum bytes of the dumps of a source, including those of yesterday while new ones are written. */
  readonly maxBytes: number;
  readonly objects: Pick<Objects, 'reader'>;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly metrics: DumpMetrics;
}

/** Time between two checks of the clock. */
const lookMs = 30_000;
const maxSerialBytes = 100;

/**
 * The job that writes the dumps of the settings, if there are any, when they are due; a source that fails does not delay
 * the others. Throws a SettingsError for unknown sources.
 */
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
  const run = async (lease: Lease) => {
    const failed = await writeDueDumps({ sources, time, termsUrl, ...around }, lease);
    if (failed.length > 0) throw new Error(`cannot write the dumps of ${failed.join(', ')}`);
    await pause(lookMs, lease.signal);
  };
  return [{ name: 'dumps', run }];
}

/** Writes the due dumps, one after the other, and returns the sources whose dumps failed. */
export async function writeDueDumps(o: DumpJobOptions, lease: Lease): Promise<string[]> {
  const failed: string[] = [];
  const dumps = await readDumps(
    o.pool,
    o.sources.map(({ name }) => name),
  );
  for (const published of o.sources) {
    const { name: source } = published;
    const newest = dumps.get(source);
    if (newest !== undefined) o.metrics.written(source, newest.began);
    const isThere = newest !== undefined && (await isStored(o.store, source));
    if (!isDumpDue(isThere ? newest.began : undefined, o.time, o.now())) continue;
    try {
      await writeOne(o, published, lease);
    } catch (error) {
      if (lease.signal.aborted) throw error;
      o.metrics.failed(source);
      o.logger.error({ source, reason: errorText(error) }, 'cannot write dump');
      failed.push(source);
    }
  }
  return failed;
}

async function writeOne(o: DumpJobOptions, published: PublicSource, lease: Lease): Promise<void> {
  const { objects, maxBytes, termsUrl, now, logger, metrics } = o;
  const { name: source } = published;
  const store = boundedFolder(o.store, dumpFolder(source), maxBytes);
  const began = now();
  const { signal } = lease;
  const dump = await writeDump({ source: published, objects, store, termsUrl, now, signal });
  const { serial } = dump;
  await lease.transaction((db) => recordDump(db, { source, serial, began, written: now() }));
  metrics.written(source, began);
  logger.info({ source, serial: String(serial), objects: dump.objects }, 'wrote dump');
}

/** Whether the store still has the dump. */
async function isStored(store: FileStore, source: string): Promise<boolean> {
  return (await store.get(dumpFolder(source) + dumpNames.serial(source), maxSerialBytes)) !== undefined;
}

/** The age of the dumps. */
type DumpMetrics = ReturnType<typeof createDumpMetrics>;

/** Registers the metrics. */
export function createDumpMetrics(metrics: Metrics, sources: readonly string[]) {
  const times = new Gauge({
    name: 'cadastre_mirror_dump_time_seconds',
    help: 'Time of the newest dump of a source, in seconds since 1970; only at the replica that writes dumps.',
    labelNames: ['source'],
    registers: [metrics],
  });
  const failures = new Counter({
    name: 'cadastre_mirror_dump_failures_total',
    help: 'Number of dumps that could not be written.',
    labelNames: ['source'],
    registers: [metrics],
  });
  for (const source of sources) failures.inc({ source }, 0);
  return {
    /** The newest dump of a source has the state of this time. */
    written: (source: string, began: Date): void => times.set({ source }, began.getTime() / 1000),
    failed: (source: string): void => failures.inc({ source }),
  };
}
