import { Histogram } from 'prom-client';
import type { Metrics } from '../metrics.js';

/** Duration of calls by method and outcome ("ok" or the kind of failure); one histogram per registry and side. */
export function callHistogram(
  metrics: Metrics,
  side: 'server' | 'client',
  help: string,
): Histogram<'method' | 'outcome'> {
  const name = `cadastre_rpc_${side}_seconds`;
  return (
    (metrics.getSingleMetric(name) as Histogram<'method' | 'outcome'> | undefined) ??
    new Histogram({
      name,
      help,
      labelNames: ['method', 'outcome'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [metrics],
    })
  );
}
