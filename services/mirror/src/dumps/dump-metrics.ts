import type { Metrics } from '@cadastre/service';
import { Counter, Gauge } from 'prom-client';

/** The age of the dumps. */
export interface DumpMetrics {
  /** The newest dump of a source has the state of this time. */
  written(source: string, began: Date): void;
  failed(source: string): void;
}

/** Registers the metrics. */
export function createDumpMetrics(metrics: Metrics, sources: readonly string[]): DumpMetrics {
  const times = new Gauge({
    name: 'cadastre_mirror_dump_time_seconds',
    help: 'Time of the newest dump of a source, in seconds since 1970; only at the replica that writes dumps.',
    labelNames: ['source'],
    registers: [metrics],
  });
  const failures = new Counter({
    name: 'cadastre_mirror_dump_failures_total',
    help: 'Number of dumps that could not be written.',
    labelNames: ['source'],
    registers: [metrics],
  });
  for (const source of sources) failures.inc({ source }, 0);
  return {
    written: (source, began) => times.set({ source }, began.getTime() / 1000),
    failed: (source) => failures.inc({ source }),
  };
}
