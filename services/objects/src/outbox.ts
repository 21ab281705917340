import { errorText, keepTryingService, type Logger, type Metrics, pause, type Service } from '@cadastre/service';
import { Gauge } from 'prom-client';
import type { Context } from './context.js';
import { noticeBatchSize, removeNotices, waitingNotifications } from './store/notices.js';

const dayMs = 24 * 60 * 60 * 1000;
/** Age from which notices are removed, whatever became of their notifications. */
const keptDays = 14;
const defaultRoundMs = 10 * 60 * 1000;
const batchPauseMs = 100;
const failurePauses = { firstMs: 5_000, longestMs: 60_000 };
/** A scrape that is this old is read again. */
const maxStateAgeMs = 10_000;

/** Removes old notices in the background; replicas do not disturb each other. */
export function noticeRemoval(o: {
  readonly context: Pick<Context, 'writePool' | 'clock'>;
  readonly logger: Logger;
  readonly roundMs?: number;
}): Service {
  const { writePool, clock } = o.context;
  return keepTryingService({
    async work(signal) {
      await pause(o.roundMs ?? defaultRoundMs, signal);
      const before = new Date(clock().getTime() - keptDays * dayMs);
      for (let removed = noticeBatchSize; removed === noticeBatchSize && !signal.aborted; ) {
        removed = await removeNotices(writePool, before);
        if (removed === noticeBatchSize) await pause(batchPauseMs, signal);
      }
    },
    onFailure(error, pauseMs) {
      o.logger.warn({ reason: errorText(error), pauseMs }, 'cannot remove old notices');
    },
    pauses: failurePauses,
  });
}

/**
 * Registers the number of waiting notifications and the age of the oldest one. A scrape gets what was last read and never
 * waits for the database.
 */
export function reportWaitingNotifications(metrics: Metrics, { readPool }: Pick<Context, 'readPool'>): void {
  let known: Awaited<ReturnType<typeof waitingNotifications>> = { count: 0, oldest: null };
  let readAt = Number.NEGATIVE_INFINITY;
  const read = () => {
    if (performance.now() - readAt < maxStateAgeMs) return;
    readAt = performance.now();
    waitingNotifications(readPool).then(
      (state) => {
        known = state;
      },
      () => {}, // The database is unavailable, which other metrics tell.
    );
  };
  new Gauge({
    name: 'cadastre_notifications_waiting',
    help: 'Number of notifications that are not sent yet',
    registers: [metrics],
    collect() {
      read();
      this.set(known.count);
    },
  });
  new Gauge({
    name: 'cadastre_notifications_oldest_seconds',
    help: 'Age of the oldest notification that is not sent yet; 0 without one',
    registers: [metrics],
    collect() {
      read();
      this.set(known.oldest === null ? 0 : Math.max(0, (Date.now() - known.oldest.getTime()) / 1000));
    },
  });
}
