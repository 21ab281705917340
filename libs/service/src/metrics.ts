import { collectDefaultMetrics, Registry } from 'prom-client';

/** Registry of the counters and histograms of one service. */
export type Metrics = Registry;

/** Makes a service's registry, with the metrics of its process; every sample carries the label `service`. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
}
