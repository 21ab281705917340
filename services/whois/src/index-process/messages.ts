import type { WhoisSettings } from '../settings.js';
import type { Samples } from './index-service.js';

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
