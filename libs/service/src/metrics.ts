import { collectDefaultMetrics, Registry } from 'prom-client';

/** Registry of the counters and histograms of one service. */
export type Metrics = Registry;

/** Makes a service's registry; every sample carries the label `service`. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  return registry;
}

/** Adds the metrics of this process. They look at the event loop a hundred times per second, so only for a reader. */
export function reportProcess(metrics: Metrics): void {
  collectDefaultMetrics({ register: metrics });
}
