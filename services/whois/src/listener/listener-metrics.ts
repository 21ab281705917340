import type { Metrics } from '@cadastre/service';
import { Counter, Gauge } from 'prom-client';
import type { PortConnection } from './port-connection.js';

/**
 * Why a connection was closed: the port or its client has too many, the client is blocked, the header of the PROXY
 * protocol was missing, or the client read too slowly while memory was scarce.
 */
export type DropReason = 'port' | 'client' | 'blocked' | 'header' | 'slow';

/** Counts connections. */
export interface ListenerMetrics {
  /** Counts a connection as open until it closes. */
  opened(connection: Pick<PortConnection, 'closed'>): void;
  dropped(reason: DropReason): void;
  /** An answer failed. */
  faulty(): void;
}

export function registerListenerMetrics(metrics: Metrics): ListenerMetrics {
  const registers = [metrics];
  const connections = new Gauge({
    name: 'cadastre_whois_connections',
    help: 'Open connections.',
    registers,
  });
  const drops = new Counter({
    name: 'cadastre_whois_dropped_connections_total',
    help: 'Connections closed because the port or the client had too many, the client was blocked, the header of the PROXY protocol was missing, or the client read too slowly.',
    labelNames: ['reason'],
    registers,
  });
  const faults = new Counter({
    name: 'cadastre_whois_faults_total',
    help: 'Connections closed because an answer failed.',
    registers,
  });
  for (const reason of ['port', 'client', 'blocked', 'header', 'slow'] satisfies DropReason[]) drops.inc({ reason }, 0);
  return {
    opened(connection) {
      connections.inc();
      void connection.closed.then(() => connections.dec());
    },
    dropped: (reason: DropReason) => drops.inc({ reason }),
    faulty: () => faults.inc(),
  };
}
