import {
  errorText,
  inTransaction,
  keepTryingService,
  type Logger,
  type Metrics,
  pause,
  type Service,
} from '@cadastre/service';
import { Counter } from 'prom-client';
import type { Context } from './context.js';
import { forgetUndelivered } from './store/email-marks.js';
import { addressBatchSize, forgetAddresses } from './store/mail-addresses.js';
import { forgetTurns, noticeBatchSize, removeNotices } from './store/notices.js';
import { forgetRepeatable, forgottenBatchSize } from './store/repeatable-writes.js';
import { forgetStorageUse, forgottenUses } from './store/storage-use.js';
import { trimBatchSize, trimChanges, trimChangesAndVersions } from './store/trimmed-changes.js';

/** Time between two rounds, and before the first one. */
const defaultRoundMs = 10 * 60 * 1000;
/** Pause between two batches, in which others use the disk. */
const batchPauseMs = 100;
/** Pauses while the database is unavailable. */
const pauses = { firstMs: 5_000, maxMs: 60_000 };

/** Removes old rows in the background, round after round. */
function removalRounds(o: {
  /** The name of the rows, for the log. */
  readonly what: string;
  removeOld(signal: AbortSignal): Promise<void>;
  readonly logger: Logger;
  readonly roundMs?: number | undefined;
}): Service {
  return keepTryingService({
    async work(signal) {
      await pause(o.roundMs ?? defaultRoundMs, signal);
      await o.removeOld(signal);
    },
    onFailure: (error, pauseMs) => o.logger.warn({ reason: errorText(error), pauseMs }, `cannot remove ${o.what}`),
    pauses,
  });
}

/** Removes one batch after another, until a batch is not full; `remove` returns how many rows it removed. */
async function removeAll(remove: () => Promise<number>, batchSize: number, signal: AbortSignal): Promise<void> {
  for (let removed = batchSize; removed === batchSize && !signal.aborted; ) {
    removed = await remove();
    if (removed === batchSize) await pause(batchPauseMs, signal);
  }
}

const dayMs = 24 * 60 * 60 * 1000;

interface TrimOptions {
  readonly context: Pick<Context, 'sources' | 'writePool' | 'clock'>;
  /** Age at which the feed removes changes. */
  readonly days: number;
  /** Whether superseded and deleted states of copies are stored longer than the feed's changes. */
  readonly keepsVersionsOfCopies: boolean;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  readonly roundMs?: number;
}

/**
 * Removes old changes of all sources in the background. Of all replicas, one at a time works on a source. The first
 * round starts late: by then an upgrade has replaced the processes that do not know that changes may be missing.
 */
export function changeTrimming(o: TrimOptions): Service {
  const counter = new Counter({
    name: 'cadastre_changes_trimmed_total',
    help: 'Number of changes that were removed because of their age',
    labelNames: ['source'],
    registers: o.metrics ? [o.metrics] : [],
  });
  return removalRounds({
    ...{ what: 'old changes', logger: o.logger, roundMs: o.roundMs },
    async removeOld(signal) {
      for (const source of o.context.sources.all) await trimSource(o, source, counter, signal);
    },
  });
}

type Source = Context['sources']['all'][number];

async function trimSource(
  { context, days, keepsVersionsOfCopies, logger }: TrimOptions,
  { id, name, kind }: Source,
  counter: Counter<'source'>,
  signal: AbortSignal,
): Promise<void> {
  const olderThan = new Date(context.clock().getTime() - days * dayMs);
  const trim = kind === 'main' || keepsVersionsOfCopies ? trimChanges : trimChangesAndVersions;
  let total = 0;
  const removeBatch = async () => {
    const removed = await inTransaction(context.writePool, (db) => trim(db, id, olderThan));
    total += removed;
    counter.inc({ source: name }, removed);
    return removed;
  };
  await removeAll(removeBatch, trimBatchSize, signal);
  if (total > 0) logger.info({ source: name, changes: total }, 'removed old changes');
}

/** Age at which notices are removed, whatever the state of their notifications. */
const retentionDays = 14;

/**
 * Removes old notices, old entries about addresses, writes that can no longer be retried, and the storage counts of
 * earlier days, in the background; replicas do not disturb each other.
 */
export function noticeRemoval(o: {
  readonly context: Pick<Context, 'writePool' | 'clock'>;
  readonly logger: Logger;
  readonly roundMs?: number;
}): Service {
  const { writePool, clock } = o.context;
  return removalRounds({
    ...{ what: 'old notices', logger: o.logger, roundMs: o.roundMs },
    async removeOld(signal) {
      const now = clock();
      await forgetTurns(writePool, now);
      await forgetUndelivered(writePool, now);
      await removeAll(() => forgetAddresses(writePool, now), addressBatchSize, signal);
      const before = new Date(now.getTime() - retentionDays * dayMs);
      await removeAll(() => removeNotices(writePool, before), noticeBatchSize, signal);
      await removeAll(() => forgetRepeatable(writePool, now), forgottenBatchSize, signal);
      await removeAll(() => forgetStorageUse(writePool, now), forgottenUses, signal);
    },
  });
}
