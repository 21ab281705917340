import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ConcurrentLimit, Limiter } from '@cadastre/limits';
import type { Metrics } from '@cadastre/service';
import type { onRequestHookHandler } from 'fastify';
import { Counter, Gauge } from 'prom-client';
import { HttpError } from '../errors.js';
import { whenReplyEnds } from '../reply/reply-end.js';
import { messages } from '../ripe-messages.js';
import type { RouteFacts } from '../route-facts.js';
import type { GatewaySettings } from '../settings.js';

const soon = { 'retry-after': '2' };

interface Admitting {
  readonly admission: Admission;
  readonly limiter: Pick<Limiter, 'clients' | 'hasRunning'>;
}

/** Takes a slot for the request until its reply ends; refuses it (503) when the gateway is overloaded. */
export function admit({ admission, limiter }: Admitting): onRequestHookHandler {
  return (request, reply, done) => {
    const { load } = request.facts;
    const sender = limiter.clients.atAddress(request.client.address);
    const leave = admission.enter(load, limiter.hasRunning(sender, runningBy[load]));
    if (leave === undefined) throw new HttpError(503, messages.overloaded(), soon);
    whenReplyEnds(reply, leave);
    done();
  };
}

/** The kinds of slots. Searches and change streams have their own, because they last as long as their client reads. */
type Queue = RouteFacts['load'];

/** Counts the current requests of a client. */
const runningBy: Readonly<Record<Queue, ConcurrentLimit>> = {
  search: 'concurrent-searches',
  stream: 'concurrent-streams',
  other: 'concurrent-requests',
};

/** The share of the slots for networks that have one already: the others are for those without one. */
const furtherShare = 2 / 3;

/** Limits the concurrent requests of this process. */
export interface Admission {
  start(): void;
  stop(): void;
  /**
   * Takes a slot and returns the function that frees it; `undefined` when there is none. `isFurther`: the network of
   * the sender has a running request of this kind already.
   */
  enter(queue: Queue, isFurther: boolean): (() => void) | undefined;
}

const resolutionMs = 20;
const sampleMs = 1_000;

/**
 * Refuses requests early: when too many are in progress, and while the mean delay of the event loop over the last
 * second exceeds `eventLoopDelay`.
 */
export function createAdmission(
  settings: Pick<GatewaySettings, 'places' | 'eventLoopDelay'>,
  metrics: Metrics,
): Admission {
  const max: Record<Queue, number> = {
    search: settings.places.searches,
    stream: settings.places.streams,
    other: settings.places.requests,
  };
  const inside: Record<Queue, number> = { search: 0, stream: 0, other: 0 };
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
    enter(queue, isFurther) {
      const bound = isFurther ? Math.ceil(max[queue] * furtherShare) : max[queue];
      const reason = late ? 'late' : inside[queue] >= bound ? 'full' : undefined;
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
    help: 'Running requests, without those answered from the cache.',
    labelNames: ['queue'],
    registers: [metrics],
    collect() {
      for (const [queue, count] of Object.entries(inside)) this.set({ queue }, count);
    },
  });
  return new Counter({
    name: 'cadastre_http_overload_refusals_total',
    help: 'Requests refused because too many were running (full), or the event loop was delayed (late).',
    labelNames: ['queue', 'reason'],
    registers: [metrics],
  });
}
