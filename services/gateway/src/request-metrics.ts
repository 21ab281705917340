import type { Metrics } from '@cadastre/service';
import { Counter, Histogram } from 'prom-client';
import type { DropReason } from './server/listeners.js';

/** Counts requests. */
export interface RequestMetrics {
  /** A request ended, with or without a reply; `seconds` is its duration, if meaningful. */
  answered(route: string, status: number | 'aborted', seconds: number | undefined): void;
  /** A change stream has sent this number of events. */
  streamed(events: number): void;
  /** A lookup hit or missed the cache. */
  cached(hit: boolean): void;
  /** This many requests ended before their headers were complete. */
  lost(count: number): void;
  /** The gateway closed a connection because of a limit. */
  dropped(reason: DropReason): void;
  /** The gateway refused a request because of a limit or a block. */
  limited(reason: string): void;
}

/** Registers the gateway's metrics. Caches the labels, because every request needs them. */
export function createRequestMetrics(metrics: Metrics): RequestMetrics {
  const requests = new Counter({
    name: 'cadastre_http_requests_total',
    help: 'HTTP requests by route and status; "aborted" are those whose connection ended before their answer.',
    labelNames: ['route', 'status'],
    registers: [metrics],
  });
  const latency = new Histogram({
    name: 'cadastre_http_request_seconds',
    help: 'Time from the headers of a request to the end of its answer, or of its connection.',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
    registers: [metrics],
  });
  const lookups = new Counter({
    name: 'cadastre_lookup_cache_total',
    help: 'Cacheable lookups by result: hit or miss of the cache.',
    labelNames: ['result'],
    registers: [metrics],
  });
  const events = new Counter({
    name: 'cadastre_change_events_total',
    help: 'Events that were sent in change streams, to all clients together.',
    registers: [metrics],
  });
  const drops = new Counter({
    name: 'cadastre_http_connections_dropped_total',
    help: 'Connections closed because the port or the client had too many, too many HTTP/2 streams were reset, or the header of the PROXY protocol was missing.',
    labelNames: ['reason'],
    registers: [metrics],
  });
  const refusals = new Counter({
    name: 'cadastre_limit_refusals_total',
    help: 'Refusals by the limit that was exceeded, or the kind of block.',
    labelNames: ['reason'],
    registers: [metrics],
  });
  const requestsOf = new Map<string, Counter.Internal>();
  const latencyOf = new Map<string, Histogram.Internal<'route'>>();
  const hits = lookups.labels('hit');
  const misses = lookups.labels('miss');
  return {
    answered(route, status, seconds) {
      const key = `${route} ${status}`;
      remembered(requestsOf, key, () => requests.labels(route, String(status))).inc();
      if (seconds !== undefined) remembered(latencyOf, route, () => latency.labels(route)).observe(seconds);
    },
    streamed: (count) => events.inc(count),
    cached: (hit) => (hit ? hits : misses).inc(),
    lost: (count) => requests.labels('unknown', 'aborted').inc(count),
    dropped: (reason) => drops.labels(reason).inc(),
    limited: (reason) => refusals.labels(reason).inc(),
  };
}

function remembered<T>(known: Map<string, T>, key: string, make: () => T): T {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}
