import { collectDefaultMetrics, Registry } from 'prom-client';

/** Registry of the counters and histograms of one service. */
export type Metrics = Registry;

/** Makes a service's registry; every sample carries the label `service`. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  return registry;
}

/**
 * Default metrics that read private lists of Node.js. Node.js ends the process when such a list has an object that the
 * garbage collector is about to free. `nodejs_active_resources` gets the same count from a public function.
 */
const unsafe = ['handles', 'requests'].flatMap((list) => [`nodejs_active_${list}`, `nodejs_active_${list}_total`]);

/**
 * Adds the metrics of this process. They sample the event loop a hundred times per second, so add them only where
 * something reads them.
 */
export function reportProcess(metrics: Metrics): void {
  collectDefaultMetrics({ register: metrics });
  for (const name of unsafe) metrics.removeSingleMetric(name);
}
