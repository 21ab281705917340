import { errorText, keepTrying, pause } from '@cadastre/service';
import pLimit from 'p-limit';
import type { Job } from '../leases.js';
import { createPublisher, type PublisherOptions } from './publisher.js';
import { deltaIntervalMs } from './schedule.js';
import { recordOutcome } from './state.js';

const pauses = { firstMs: 1_000, maxMs: deltaIntervalMs };

/** Publishes a source: a round each minute, and concurrently a snapshot when one is due. */
export function publishJob(o: PublisherOptions): Job {
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
