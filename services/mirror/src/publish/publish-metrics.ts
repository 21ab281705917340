import type { Metrics } from '@cadastre/service';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { LossReason } from './lost-history.js';

/** The result of a round of publishing. */
export interface Published {
  /** Every public change before this time is published. */
  readonly completeUntil: Date;
  readonly version: number;
  /** Timestamp of the notification. */
  readonly notifiedAt: Date;
}

/** The steps that take time. */
export type PublishStep = 'delta' | 'snapshot' | 'round';

/** Counts what is published. */
export type PublishMetrics = ReturnType<typeof publishMetrics>;

/** Registers the metrics of publications; gauges are those of the replica that publishes. */
export function publishMetrics(registry: Metrics, now: () => Date) {
  const registers = [registry];
  const labelNames = ['source'] as const;
  const outcomes = new Map<string, Published>();
  const secondsSince = (time: Date) => Math.max(0, (now().getTime() - time.getTime()) / 1000);
  const gauge = (name: string, help: string, value: (outcome: Published) => number) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const [source, outcome] of outcomes) this.set({ source }, value(outcome));
      },
    });
  gauge(
    'cadastre_mirror_publication_behind_seconds',
    'Time since the moment up to which all changes are published.',
    ({ completeUntil }) => secondsSince(completeUntil),
  );
  gauge(
    'cadastre_mirror_publication_notification_age_seconds',
    'Time since the timestamp of the Update Notification File.',
    ({ notifiedAt }) => secondsSince(notifiedAt),
  );
  gauge('cadastre_mirror_publication_version', 'Newest published version of the session.', ({ version }) => version);
  const sessions = new Counter({
    name: 'cadastre_mirror_publication_sessions_total',
    help: 'New sessions, by reason. All followers load the source again.',
    labelNames: ['source', 'reason'],
    registers,
  });
  const failures = new Counter({
    name: 'cadastre_mirror_publication_failures_total',
    help: 'Attempts to publish that failed.',
    labelNames: ['source', 'step'],
    registers,
  });
  const seconds = new Histogram({
    name: 'cadastre_mirror_publication_seconds',
    help: 'Duration of a step of publishing: a delta, a snapshot, a complete round.',
    labelNames: ['step'],
    buckets: [0.01, 0.1, 1, 5, 15, 60, 300, 1800],
    registers,
  });
  return {
    published: (source: string, outcome: Published): void => void outcomes.set(source, outcome),
    sessionBegan: (source: string, reason: LossReason): void => sessions.inc({ source, reason }),
    failed: (source: string, step: PublishStep): void => failures.inc({ source, step }),
    /** Another replica publishes the source now. */
    left: (source: string): void => void outcomes.delete(source),
    async time<T>(step: PublishStep, work: () => Promise<T>): Promise<T> {
      const end = seconds.startTimer({ step });
      const result = await work();
      end();
      return result;
    },
  };
}
