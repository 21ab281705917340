import type { Metrics } from '@cadastre/service';
import { Counter, Gauge } from 'prom-client';
import type { RefusalReason } from './refusal.js';

/** Counts streams of changes. */
export interface NrtmMetrics {
  /** A stream begins; it lasts until the returned function is called. */
  begun(): () => void;
  /** A change is sent. */
  sent(): void;
  refused(reason: RefusalReason): void;
}

export function registerNrtmMetrics(metrics: Metrics): NrtmMetrics {
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
    begun() {
      streams.inc();
      return () => streams.dec();
    },
    sent: () => changes.inc(),
    refused: (reason) => refusals.inc({ reason }),
  };
}
