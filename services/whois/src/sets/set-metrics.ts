import type { Metrics } from '@cadastre/service';
import { Gauge } from 'prom-client';

/** What the index has of a source. */
export interface SetCounts {
  readonly source: string;
  readonly sets: number;
  readonly routes: number;
  readonly hidden: number;
  readonly serial: bigint;
  /** When it last learned that it has everything. */
  readonly confirmed: Date;
}

/** Registers what the set index has; without samples until it is complete. */
export function registerSetMetrics(metrics: Metrics, counts: () => readonly SetCounts[]): void {
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
  gauge('cadastre_whois_routes', 'Routes in the index of the whois service.', ({ routes }) => routes);
  gauge(
    'cadastre_whois_hidden_routes',
    'Routes that are in no list, because ROAs make them invalid.',
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
