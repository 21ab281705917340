import type { FailureKind, Metrics } from '@cadastre/service';
import { Counter } from 'prom-client';

/** Counts a search of a batch by its outcome: the call succeeds whatever happens to its searches. */
export type CountBatched = (outcome: 'ok' | FailureKind) => void;

/** Registers `cadastre_search_batched_total`. */
export function batchedSearches(metrics: Metrics): CountBatched {
  const counter = new Counter({
    name: 'cadastre_search_batched_total',
    help: 'Searches in batches by outcome: ok, or the kind of the failure',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  return (outcome) => counter.inc({ outcome });
}
