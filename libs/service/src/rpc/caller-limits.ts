import { Counter } from 'prom-client';
import { ServiceError } from '../errors.js';
import type { Metrics } from '../metrics.js';

/** Limits of one caller on this server. */
export interface CallerLimits {
  /** Calls per second, and size of a burst. */
  rate: number;
  /** Concurrent calls. */
  calls: number;
}

interface Use {
  /** Number of calls that may start now. */
  left: number;
  /** When `left` was counted, in milliseconds. */
  counted: number;
  running: number;
}

/**
 * Limits the calls of each caller. The returned function admits a call, or throws `exhausted`; call its result when the
 * call has ended.
 */
export function limitCallers(
  limits: CallerLimits,
  metrics: Metrics,
  now: () => number = () => performance.now(),
): (caller: string) => () => void {
  const uses = new Map<string, Use>();
  const limited = limitedCounter(metrics);
  const refuse = (caller: string, limit: 'rate' | 'calls', text: string) => {
    limited.inc({ caller, limit });
    throw new ServiceError('exhausted', text, { waitingHelps: true });
  };
  return (caller) => {
    const use = uses.get(caller) ?? { left: limits.rate, counted: now(), running: 0 };
    uses.set(caller, use);
    if (use.running >= limits.calls) refuse(caller, 'calls', `At most ${limits.calls} calls at the same time`);
    use.left = Math.min(limits.rate, use.left + ((now() - use.counted) / 1000) * limits.rate);
    use.counted = now();
    if (use.left < 1) refuse(caller, 'rate', `At most ${limits.rate} calls per second`);
    use.left -= 1;
    use.running += 1;
    return () => {
      use.running -= 1;
    };
  };
}

function limitedCounter(metrics: Metrics): Counter<'caller' | 'limit'> {
  return new Counter({
    name: 'cadastre_rpc_limited_total',
    help: 'Calls refused because of the limits on their caller: per second (rate) or concurrent (calls)',
    labelNames: ['caller', 'limit'],
    registers: [metrics],
  });
}
