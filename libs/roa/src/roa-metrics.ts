import type { Metrics } from '@cadastre/service';
import { Gauge } from 'prom-client';
import type { KnownExport } from './read-export.js';

/** Registers number and age of the payloads; without samples until the first export is read. */
export function registerRoaMetrics(service: string, metrics: Metrics, known: () => KnownExport | undefined): void {
  const gauge = (name: string, help: string, sample: (known: KnownExport) => number) =>
    new Gauge({
      name,
      help,
      registers: [metrics],
      labelNames: [],
      collect() {
        const now = known();
        if (now === undefined) this.remove();
        else this.set(sample(now));
      },
    });
  gauge(`cadastre_${service}_roa_payloads`, 'Validated ROA payloads in use.', ({ index }) => index.size);
  gauge(`cadastre_${service}_roa_skipped`, 'Entries of the export that were no payloads.', ({ skipped }) => skipped);
  gauge(`cadastre_${service}_roa_age_seconds`, 'Time since the payloads in use were exported.', ({ made }) =>
    Math.max(0, (Date.now() - made.getTime()) / 1000),
  );
}
