import type { Metrics } from '@cadastre/service';
import { Gauge } from 'prom-client';
import type { IndexBudget } from './index-budget.js';

/** The contents of the index for a source. */
export interface SetCounts {
  readonly source: string;
  readonly sets: number;
  /** Sets, and objects that join sets, that the bounds exclude. */
  readonly refused: number;
  readonly routes: number;
  readonly hidden: number;
  readonly serial: bigint;
  /** When it was last known to be complete. */
  readonly confirmed: Date;
}

/** Registers the contents of the set index; without samples until it is complete. */
export function registerSetMetrics(metrics: Metrics, budget: IndexBudget, counts: () => readonly SetCounts[]): void {
  new Gauge({
    name: 'cadastre_whois_set_index_ratio',
    help: 'Memory of the sets in the index of the whois service, as a share of their maximum.',
    registers: [metrics],
    collect() {
      this.set(budget.usedBytes / budget.bounds.bytes);
    },
  });
  const gauge = (name: string, help: string, sample: (one: SetCounts) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['source'],
      registers: [metrics],
      collect() {
        this.reset();
        for (const one of counts()) this.set({ source: one.source }, sample(one));
      },
    });
  gauge('cadastre_whois_sets', 'Sets in the index of the whois service.', ({ sets }) => sets);
  gauge(
    'cadastre_whois_refused_sets',
    'Sets, and objects that join sets, that are not in the index of the whois service because of its bounds.',
    ({ refused }) => refused,
  );
  gauge('cadastre_whois_routes', 'Routes in the index of the whois service.', ({ routes }) => routes);
  gauge(
    'cadastre_whois_hidden_routes',
    'Routes omitted from all lists, because ROAs make them invalid or another source is preferred.',
    ({ hidden }) => hidden,
  );
  gauge('cadastre_whois_serial', 'Serial of the newest change in the index of the whois service.', ({ serial }) =>
    Number(serial),
  );
  gauge(
    'cadastre_whois_lag_seconds',
    'Time since the index of the whois service was known to be complete.',
    ({ confirmed }) => Math.max(0, (Date.now() - confirmed.getTime()) / 1000),
  );
}
