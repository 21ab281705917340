import type { Socket } from 'node:net';
import type { SetServiceService } from '@cadastre/proto/whois';
import type { Handlers, Metrics, Service } from '@cadastre/service';
import type { Remainder } from '../listener/connection.js';
import type { ServedConnection } from '../listener/port-connection.js';

/** A connection whose next line is an IRRd-style command. */
export interface HandedConnection extends Remainder {
  readonly socket: Socket;
  /** Address of its client. */
  readonly client: string;
}

/** The server of the set index: a process of its own, or in tests a part of this one. */
export interface IndexService extends Service {
  /**
   * Serves a connection to its end; the caller may no longer use the socket. Throws a ServiceError (unavailable) when
   * it cannot.
   */
  handOver(connection: HandedConnection): ServedConnection;
  readonly handlers: Handlers<typeof SetServiceService>;
  /** Checks that the index is available. */
  readonly checks: Record<string, () => Promise<void>>;
  /** Closes idle connections, and the others after their answers. */
  drain(): void;
  /** The samples of other processes. */
  otherSamples(): Promise<Samples>;
}

/** Metrics with their samples. */
export type Samples = Awaited<ReturnType<Metrics['getMetricsAsJSON']>>;
