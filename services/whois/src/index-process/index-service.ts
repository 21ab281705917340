import type { Socket } from 'node:net';
import type { SetServiceService } from '@cadastre/proto/whois';
import type { Handlers, Metrics, Service } from '@cadastre/service';
import type { Remainder } from '../listener/connection.js';
import type { ServedConnection } from '../listener/port-connection.js';
import type { WhoisSettings } from '../settings.js';

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

/** A message from the main process to the index process. Connections are numbered. */
export type MessageToIndex =
  /**
   * `path` is that of the socket on which it serves gRPC, in a folder of its own; `answerBytes` the memory of answers.
   */
  | { readonly kind: 'start'; readonly settings: WhoisSettings; readonly path: string; readonly answerBytes: number }
  | ConnectionMessage
  /** Close a connection. */
  | { readonly kind: 'close'; readonly id: number }
  /** Close idle connections, and the others after their answers. */
  | { readonly kind: 'drain' }
  | { readonly kind: 'samples' };

/** Serve a connection. Its socket comes with the message, unless it broke before. */
export interface ConnectionMessage {
  readonly kind: 'connection';
  readonly id: number;
  readonly client: string;
  readonly received: Buffer;
  readonly staysOpen: boolean;
}

/** A message from the index process to the main process. */
export type MessageFromIndex =
  /** It has received a connection: the next one may be sent. */
  | { readonly kind: 'taken'; readonly id: number }
  | { readonly kind: 'closed'; readonly id: number }
  | Report
  | { readonly kind: 'samples'; readonly samples: Samples };

/** Sent regularly. */
export interface Report {
  readonly kind: 'report';
  /** Reason of each failing check by its name. */
  readonly failures: Readonly<Record<string, string>>;
  /** The bytes that connections have carried, if changed. */
  readonly carried: readonly (readonly [id: number, bytes: number])[];
}
