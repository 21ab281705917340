import { type Logger, type Metrics, readInBackground, type Service } from '@cadastre/service';
import { Gauge } from 'prom-client';
import type { Context } from './context.js';
import { removalRounds, removeAll } from './removal-rounds.js';
import { forgetUndelivered } from './store/email-marks.js';
import { addressBatchSize, forgetAddresses } from './store/mail-addresses.js';
import {
  forgetTurns,
  noticeBatchSize,
  removeNotices,
  type WaitingNotifications,
  waitingNotificationsQuery,
} from './store/notices.js';
import { forgetRepeatable, forgottenBatchSize } from './store/repeatable-writes.js';
import { forgetStorageUse, forgottenUses } from './store/storage-use.js';

const dayMs = 24 * 60 * 60 * 1000;
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

/** Registers the number of waiting notifications and the age of the oldest one. */
export function reportWaitingNotifications(metrics: Metrics, { readPool }: Pick<Context, 'readPool'>): void {
  const waiting = readInBackground<WaitingNotifications>(readPool, waitingNotificationsQuery);
  new Gauge({
    name: 'cadastre_notifications_waiting',
    help: 'Number of notifications that are not sent yet',
    registers: [metrics],
    collect() {
      for (const { count } of waiting()) this.set(count);
    },
  });
  new Gauge({
    name: 'cadastre_notifications_oldest_seconds',
    help: 'Age of the oldest notification that is not sent yet; 0 without one',
    registers: [metrics],
    collect() {
      for (const { oldest } of waiting()) this.set(oldest ? Math.max(0, (Date.now() - oldest.getTime()) / 1000) : 0);
    },
  });
}
