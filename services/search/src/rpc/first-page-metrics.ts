import type { FailureKind, Metrics } from '@cadastre/service';
import { Counter } from 'prom-client';

/** Counts a first page by the outcome of its search: the call succeeds even if the search fails. */
export type CountFirstPage = (outcome: 'ok' | FailureKind) => void;

/** Registers `cadastre_search_first_pages_total`. */
export function firstPageMetrics(metrics: Metrics): CountFirstPage {
  const counter = new Counter({
    name: 'cadastre_search_first_pages_total',
    help: 'Searches for a first page by outcome: ok, or the kind of the failure',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  return (outcome) => counter.inc({ outcome });
}
