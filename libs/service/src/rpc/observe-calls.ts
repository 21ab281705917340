import { toServiceError } from '../errors.js';
import type { Metrics } from '../metrics.js';
import { callHistogram } from './call-histogram.js';
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
