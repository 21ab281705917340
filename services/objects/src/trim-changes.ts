import {
  errorText,
  inTransaction,
  keepTryingService,
  type Logger,
  type Metrics,
  type Pauses,
  pause,
  type Service,
} from '@cadastre/service';
import { Counter } from 'prom-client';
import type { Context } from './context.js';
import { trimBatchSize, trimChanges, trimChangesAndVersions } from './store/kept-changes.js';

const dayMs = 24 * 60 * 60 * 1000;
/**
 * Time between two rounds over all sources, and before the first one: until then an upgrade has replaced the processes
 * that do not know that changes may be missing.
 */
const defaultRoundMs = 10 * 60 * 1000;
/** Pause between two batches, which leaves the disk to others. */
const batchPauseMs = 100;
/** Pauses while the database is unavailable. */
const failurePauses: Pauses = { firstMs: 5_000, maxMs: 60_000 };

export interface TrimOptions {
  readonly context: Pick<Context, 'sources' | 'writePool' | 'clock'>;
  /** Age from which the feed forgets changes. */
  readonly days: number;
  /** Whether superseded and deleted states of copies stay when the feed has forgotten them. */
  readonly keepsVersionsOfCopies: boolean;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  readonly roundMs?: number;
}

/** Removes old changes of all sources in the background. Of all replicas, one at a time works on a source. */
export function changeTrimming(o: TrimOptions): Service {
  const count = trimmedCounter(o.metrics);
  const roundMs = o.roundMs ?? defaultRoundMs;
  return keepTryingService({
    async work(signal) {
      await pause(roundMs, signal);
      for (const source of o.context.sources.all) await trimSource(o, source, count, signal);
    },
    onFailure(error, pauseMs) {
      o.logger.warn({ reason: errorText(error), pauseMs }, 'cannot remove old changes');
    },
    pauses: failurePauses,
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
  for (let removed = trimBatchSize; removed === trimBatchSize && !signal.aborted; ) {
    removed = await inTransaction(context.writePool, (db) => trim(db, id, olderThan));
    total += removed;
    count(name, removed);
    if (removed === trimBatchSize) await pause(batchPauseMs, signal);
  }
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
