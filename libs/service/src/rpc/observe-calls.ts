import { Histogram } from 'prom-client';
import { toServiceError } from '../errors.js';
import type { Metrics } from '../metrics.js';
import type { CallOptions, MethodDefinition } from './types.js';

type Items = AsyncIterable<unknown>;
type Requested = (request: unknown, options?: CallOptions) => Promise<unknown>;
type Streamed = (request: unknown, options?: CallOptions) => Items;

/** A client method that also records duration and outcome of its calls, as the caller sees them. */
export function observeCalls(method: MethodDefinition, call: unknown, metrics: Metrics | undefined): unknown {
  if (!metrics) return call;
  const histogram = callHistogram(metrics, 'client', 'Time of calls to other services by method and outcome');
  const observe = (outcome: string, started: number) =>
    histogram.observe({ method: method.path, outcome }, (performance.now() - started) / 1000);
  return method.responseStream ? streamed(call as Streamed, observe) : requested(call as Requested, observe);
}

type Observe = (outcome: string, started: number) => void;

function requested(call: Requested, observe: Observe): Requested {
  return async (request, options) => {
    const started = performance.now();
    let outcome = 'ok';
    try {
      return await call(request, options);
    } catch (error) {
      outcome = toServiceError(error).kind;
      throw error;
    } finally {
      observe(outcome, started);
    }
  };
}

/** A stream that its reader leaves early counts as a success. */
function streamed(call: Streamed, observe: Observe): Streamed {
  return async function* (request, options) {
    const started = performance.now();
    let outcome = 'ok';
    try {
      yield* call(request, options);
    } catch (error) {
      outcome = toServiceError(error).kind;
      throw error;
    } finally {
      observe(outcome, started);
    }
  };
}

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
