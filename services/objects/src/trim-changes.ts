import { inTransaction, type Logger, type Metrics, type Service } from '@cadastre/service';
import { Counter } from 'prom-client';
import type { Context } from './context.js';
import { removalRounds, removeAll } from './removal-rounds.js';
import { trimBatchSize, trimChanges, trimChangesAndVersions } from './store/trimmed-changes.js';

const dayMs = 24 * 60 * 60 * 1000;

export interface TrimOptions {
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
  const count = trimmedCounter(o.metrics);
  return removalRounds({
    ...{ what: 'old changes', logger: o.logger, roundMs: o.roundMs },
    async removeOld(signal) {
      for (const source of o.context.sources.all) await trimSource(o, source, count, signal);
    },
  });
}

type Source = Context['sources']['all'][number];

async function trimSource(
  { context, days, keepsVersionsOfCopies, logger }: TrimOptions,
  { id, name, kind }: Source,
  count: (source: string, removed: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const olderThan = new Date(context.clock().getTime() - days * dayMs);
  const trim = kind === 'main' || keepsVersionsOfCopies ? trimChanges : trimChangesAndVersions;
  let total = 0;
  const removeBatch = async () => {
    const removed = await inTransaction(context.writePool, (db) => trim(db, id, olderThan));
    total += removed;
    count(name, removed);
    return removed;
  };
  await removeAll(removeBatch, trimBatchSize, signal);
  if (total > 0) logger.info({ source: name, changes: total }, 'removed old changes');
}

function trimmedCounter(metrics: Metrics | undefined): (source: string, removed: number) => void {
  if (metrics === undefined) return () => {};
  const counter = new Counter({
    name: 'cadastre_changes_trimmed_total',
    help: 'Number of changes that were removed because of their age',
    labelNames: ['source'],
    registers: [metrics],
  });
  return (source, removed) => counter.inc({ source }, removed);
}
