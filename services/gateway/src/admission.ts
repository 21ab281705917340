import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics } from '@cadastre/service';
import { Counter, Gauge } from 'prom-client';
import type { GatewaySettings } from './settings.js';

/** What a request takes a place among: searches may last as long as their client reads. */
export type Queue = 'search' | 'other';

/** Lets in what can be answered in good time. */
export interface Admission {
  start(): void;
  stop(): void;
  /** Gives a request its place; the function gives it back. `undefined` when there is none. */
  enter(queue: Queue): (() => void) | undefined;
}

const resolutionMs = 20;
const sampleMs = 1_000;

/**
 * Refuses requests before they would wait for one another: when too many are under way, and as long as this process
 * was, on average over the last second, later than `eventLoopDelay` with what it had to do.
 */
export function createAdmission(
  settings: Pick<GatewaySettings, 'requests' | 'searches' | 'eventLoopDelay'>,
  metrics: Metrics,
): Admission {
  const most: Record<Queue, number> = { search: settings.searches, other: settings.requests };
  const inside: Record<Queue, number> = { search: 0, other: 0 };
  const refused = registerMetrics(metrics, inside);
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  let late = false;
  let timer: NodeJS.Timeout | undefined;

  const sample = () => {
    late = delay.count > 0 && delay.mean / 1e6 - resolutionMs > settings.eventLoopDelay;
    delay.reset();
  };
  return {
    start() {
      delay.enable();
      timer = setInterval(sample, sampleMs).unref();
    },
    stop() {
      clearInterval(timer);
      delay.disable();
    },
    enter(queue) {
      const reason = late ? 'late' : inside[queue] >= most[queue] ? 'full' : undefined;
      if (reason !== undefined) {
        refused.inc({ queue, reason });
        return undefined;
      }
      inside[queue]++;
      return () => inside[queue]--;
    },
  };
}

function registerMetrics(metrics: Metrics, inside: Readonly<Record<Queue, number>>) {
  new Gauge({
    name: 'cadastre_http_requests_in_flight',
    help: 'Requests under way, those that are answered from the cache left out.',
    labelNames: ['queue'],
    registers: [metrics],
    collect() {
      for (const [queue, count] of Object.entries(inside)) this.set({ queue }, count);
    },
  });
  return new Counter({
    name: 'cadastre_http_overload_refusals_total',
    help: 'Requests refused because too many were under way (full), or the process was late (late).',
    labelNames: ['queue', 'reason'],
    registers: [metrics],
  });
}
