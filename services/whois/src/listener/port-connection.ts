import type { Socket } from 'node:net';
import type { BoundedConnection, Metrics } from '@cadastre/service';
import { Counter, Gauge } from 'prom-client';

/** A connection that another process, or another part of this one, serves. */
export interface ServedConnection {
  /** Bytes that it has carried. */
  readonly carriedBytes: number;
  readonly closed: Promise<void>;
  destroy(): void;
}

/** A connection of the port from its beginning to its end, whichever process serves it. */
export interface PortConnection extends BoundedConnection {
  readonly closed: Promise<void>;
  /** Another process, or TLS, serves the rest of it, and closes it. */
  servedBy(other: ServedConnection): void;
}

/** Makes the connection of a socket. */
export function createPortConnection(socket: Socket): PortConnection {
  let other: ServedConnection | undefined;
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  socket.once('close', close);
  return {
    remoteAddress: socket.remoteAddress,
    get bytesRead() {
      return other?.carriedBytes ?? socket.bytesRead;
    },
    get bytesWritten() {
      return other === undefined ? socket.bytesWritten : 0;
    },
    destroy: () => (other ?? socket).destroy(),
    closed,
    servedBy(now) {
      other = now;
      now.closed.then(close);
    },
  };
}

/**
 * Why a connection was closed: the port or its client has too many, the client is blocked, the header of the PROXY
 * protocol was missing, or the client read too slowly while memory was scarce.
 */
export type DropReason = 'port' | 'client' | 'blocked' | 'header' | 'slow';

/** Counts connections. */
export type ListenerMetrics = ReturnType<typeof registerListenerMetrics>;

export function registerListenerMetrics(metrics: Metrics) {
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
    /** Counts a connection as open until it closes. */
    opened(connection: Pick<PortConnection, 'closed'>): void {
      connections.inc();
      void connection.closed.then(() => connections.dec());
    },
    dropped: (reason: DropReason): void => drops.inc({ reason }),
    /** An answer failed. */
    faulty: (): void => faults.inc(),
  };
}
