import type { TlsFiles } from '../tls.js';
import type { RpcClient, ServiceDefinition } from './types.js';

export interface ConnectOptions<D extends ServiceDefinition = ServiceDefinition> {
  /** `host:port` (all addresses that the name resolves to are used in turn) or `unix:/path`. */
  address: string;
  /** Mutual TLS. */
  tls?: TlsFiles | undefined;
  /** Default deadline of a call in milliseconds. */
  deadlineMs: number;
  /** Name of the calling service, as in logs. */
  name: string;
  /** Methods that are called again when the server was unavailable. */
  idempotent?: (keyof D & string)[];
  /** Largest message received; 64 MiB unless told. */
  maxMessageBytes?: number;
}

/** Makes a client; it connects by itself on the first call and again when the connection is lost. */
export function connect<D extends ServiceDefinition>(
  _definition: D,
  _o: ConnectOptions<D>,
): RpcClient<D> & { close(): void } {
  throw new Error('not written yet');
}
