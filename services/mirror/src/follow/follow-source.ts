import { errorText, type Logger, pause } from '@cadastre/service';
import type { Pool } from 'pg';
import type { Job, Lease } from '../leases.js';
import type { Objects } from '../objects-client.js';
import { classNames } from './classes.js';
import type { FollowMetrics } from './follow-metrics.js';
import {
  type FileChanges,
  hasClasses,
  openMirror,
  readFiles,
  readMirror,
  readMirrors,
  readResets,
  type StoredMirror,
  saveChecked,
  saveFault,
  saveProgress,
} from './follow-store.js';
import { mirrorWriter } from './mirror-writer.js';
import { type Checked, type FileHashes, MirrorFault, type Origin, type Progress } from './origin.js';

export interface FollowOptions {
  /** Our source. */
  readonly source: string;
  readonly origin: Origin;
  readonly pool: Pool;
  readonly objects: Pick<Objects, 'loader' | 'mirrorWriter'>;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly metrics: FollowMetrics;
}

/** Maximum time until the retry after a fault; earlier if the normal interval is shorter. */
const firstPauseMs = 60_000;
/** Maximum pause between updates after further faults. */
const maxPauseMs = 600_000;

/** How often a replica that waits after a fault checks whether an operator has reset the copy. */
const lookMs = 5_000;

/** Updates a copy: one update after the other, in the replica that has the lease. */
export function followJob(o: FollowOptions): Job {
  const { source, origin, pool, now, metrics } = o;
  return {
    name: `follow ${source}`,
    async run(lease) {
      for (const warning of origin.warnings) o.logger.warn({ source, warning }, 'origin needs attention');
      let mirror = await opened(o, lease);
      metrics.began(source, mirror.checked ?? now());
      try {
        await pause(restOfPause(mirror, origin, now()), lease.signal);
        for (let faults = 0; !lease.signal.aborted; ) {
          const began = performance.now();
          mirror = await opened(o, lease);
          const fault = await updateOnce(o, lease, mirror, faults);
          faults = fault === undefined ? 0 : faults + 1;
          const everyMs = faults === 0 ? origin.everyMs : pauseAfter(faults, origin);
          const pauseMs = Math.max(0, began + everyMs - performance.now());
          if (faults === 0) await pause(pauseMs, lease.signal);
          else await pauseUnlessReset(pool, mirror, pauseMs, lease.signal);
        }
      } finally {
        metrics.left(source);
      }
    },
  };
}

/** The row of the copy; writes nothing when it exists for this origin and its classes. */
async function opened({ source, origin, pool, logger }: FollowOptions, lease: Lease): Promise<StoredMirror> {
  const mirror = await readMirror(pool, source, origin);
  if (mirror !== undefined) return mirror;
  const [before] = await readMirrors(pool, [source]);
  if (before?.state != null && !hasClasses(before, origin)) {
    const [had, classes] = [before.classes, classNames(origin.classes)];
    logger.warn({ source, had, classes }, 'other classes of objects: the copy is loaded anew');
  }
  return lease.transaction((db) => openMirror(db, source, origin));
}

/** `faults` in a row: at least one. */
function pauseAfter(faults: number, { everyMs }: Origin): number {
  return Math.min(Math.min(everyMs, firstPauseMs) * 2 ** (faults - 1), maxPauseMs);
}

/** Another replica may have read the origin a moment ago. */
function restOfPause({ state, checked, failed }: StoredMirror, origin: Origin, now: Date): number {
  if (state === null) return 0;
  const pauseMs = failed === null ? origin.everyMs : pauseAfter(1, origin);
  const last = failed ?? checked;
  return Math.max(0, Math.min(pauseMs, (last?.getTime() ?? 0) + pauseMs - now.getTime()));
}

async function pauseUnlessReset(pool: Pool, mirror: StoredMirror, pauseMs: number, signal: AbortSignal): Promise<void> {
  for (let leftMs = pauseMs; leftMs > 0 && !signal.aborted; leftMs -= lookMs) {
    await pause(Math.min(lookMs, leftMs), signal);
    if ((await readResets(pool, mirror.source)) !== mirror.resets) return;
  }
}

/** Undefined after an update without a fault. Throws only when the lease or our own database is lost. */
async function updateOnce(
  o: FollowOptions,
  lease: Lease,
  mirror: StoredMirror,
  faults: number,
): Promise<MirrorFault | undefined> {
  const { source, origin, pool, objects, now, logger, metrics } = o;
  let own: unknown;
  let stored: Promise<FileHashes> | undefined;
  const storedFiles = async () => {
    stored ??= readFiles(pool, source);
    try {
      return await stored;
    } catch (error) {
      own = error;
      throw error;
    }
  };
  const save = async (progress: Progress) => {
    try {
      const files = progress.files === undefined ? noFileChanges : fileChanges(await storedFiles(), progress.files);
      const isSaved = await lease.transaction((db) => saveProgress(db, mirror, progress, { files, now: now() }));
      if (!isSaved) throw new MirrorFault('transient', 'An operator has reset the copy');
    } catch (error) {
      if (!(error instanceof MirrorFault)) own = error;
      throw error;
    }
    if (progress.files !== undefined) stored = Promise.resolve(progress.files);
    if (progress.applied) metrics.applied(source, progress.applied);
    logger.info({ source, version: progress.version, ...progress.applied }, 'stored progress of mirror');
  };
  const writer = mirrorWriter({ source, objects, unguarded: mirror.unguarded, logger });
  const mirrored = { source, writer, faults, save, storedFiles, signal: lease.signal, logger, now };
  let checked: Checked;
  try {
    checked = await origin.update(mirror.state ?? undefined, mirrored);
  } catch (error) {
    if (own !== undefined || lease.signal.aborted) throw error;
    const fault =
      error instanceof MirrorFault ? error : new MirrorFault('transient', errorText(error), { cause: error });
    const reason = fault.message;
    if (fault.kind === 'refused') logger.error({ source, reason }, 'refused fault of mirror');
    else logger.warn({ source, reason }, 'transient fault of mirror');
    metrics.failed(source, fault.kind);
    await lease.transaction((db) => saveFault(db, mirror, fault, now()));
    return fault;
  }
  await lease.transaction((db) => saveChecked(db, mirror, checked, now()));
  metrics.succeeded(source, now());
  return undefined;
}

const noFileChanges: FileChanges = { named: {}, gone: [] };

function fileChanges(before: FileHashes, now: FileHashes): FileChanges {
  return {
    named: Object.fromEntries(Object.entries(now).filter(([name, hash]) => before[name] !== hash)),
    gone: Object.keys(before).filter((name) => !Object.hasOwn(now, name)),
  };
}
