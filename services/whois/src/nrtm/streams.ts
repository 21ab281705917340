import type { Nrtm3Refusal } from '@cadastre/nrtm';
import type { Metrics } from '@cadastre/service';
import { Counter, Gauge } from 'prom-client';

/**
 * Why a request gets no changes: the client is `current`; the changes are `forgotten` (removed), or the client is
 * `ahead` of the registry, so that its copy needs a dump; there are none at all (`empty`), or not all of the `range`;
 * the client has a `second` stream, or all slots are in use (`full`); it is `not-authorised`, or names an
 * `unknown-source`; the `request` is wrong; the objects service did not respond (`failed`).
 */
export type RefusalReason =
  | 'ahead'
  | 'current'
  | 'empty'
  | 'failed'
  | 'forgotten'
  | 'full'
  | 'not-authorised'
  | 'range'
  | 'request'
  | 'second'
  | 'unknown-source';

/** A refusal with its text for the client, and its reason for the operator. */
export interface Refusal extends Nrtm3Refusal {
  readonly reason: RefusalReason;
}

/** Bounds the streams of changes: each holds a page of changes until its client has read it. */
export type StreamSlots = ReturnType<typeof createStreamSlots>;

/** Each holds a page of 1 MiB of text about three times in memory. */
const maxStreams = 32;

/** Makes the slots of a process. */
export function createStreamSlots() {
  const taken = new Set<string>();
  return {
    /**
     * Takes a slot until the returned function is called. Otherwise returns why there is none: the client has one
     * (`second`), or all are in use (`full`).
     */
    take(client: string): (() => void) | 'full' | 'second' {
      if (taken.has(client)) return 'second';
      if (taken.size >= maxStreams) return 'full';
      taken.add(client);
      return () => void taken.delete(client);
    },
  };
}

/** Counts streams of changes. */
export type NrtmMetrics = ReturnType<typeof registerNrtmMetrics>;

export function registerNrtmMetrics(metrics: Metrics) {
  const registers = [metrics];
  const streams = new Gauge({
    name: 'cadastre_whois_nrtm_streams',
    help: 'Followers that receive changes now (NRTM version 3).',
    registers,
  });
  const changes = new Counter({
    name: 'cadastre_whois_nrtm_changes_total',
    help: 'Changes sent to followers (NRTM version 3).',
    registers,
  });
  const refusals = new Counter({
    name: 'cadastre_whois_nrtm_refusals_total',
    help: 'Requests for changes that were refused, by reason; "forgotten" and "ahead" need a dump (NRTM version 3).',
    labelNames: ['reason'],
    registers,
  });
  return {
    /** A stream begins; it lasts until the returned function is called. */
    begun(): () => void {
      streams.inc();
      return () => streams.dec();
    },
    /** A change is sent. */
    sent: (): void => changes.inc(),
    refused: (reason: RefusalReason): void => refusals.inc({ reason }),
  };
}
