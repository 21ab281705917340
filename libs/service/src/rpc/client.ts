import type { Client } from '@grpc/grpc-js';
import type { Metrics } from '../metrics.js';
import type { MutualTls } from '../tls.js';
import { openChannel } from './channel.js';
import { callBidi, callClientStream, callServerStream, callUnary } from './client-call.js';
import { observeCalls } from './observe-calls.js';
import { withRetry } from './retry.js';
import type { CallOptions, MethodDefinition, RpcClient, ServiceDefinition } from './types.js';

export interface ConnectOptions<D extends ServiceDefinition = ServiceDefinition> {
  /** `host:port` (all addresses that the name resolves to are used in turn), `IP:port,IP:port` or `unix:/path`. */
  address: string;
  /** Mutual TLS. */
  tls?: MutualTls | undefined;
  /** Gets `cadastre_rpc_client_seconds`. */
  metrics?: Metrics | undefined;
  /** Default deadline of a call in milliseconds, streams included; Infinity for none. */
  deadlineMs: number;
  /** Name of the calling service, as in logs. */
  name: string;
  /** Unary methods that are called again (twice at most) when the server was unavailable. */
  idempotent?: (keyof D & string)[];
  /** Largest message received; 64 MiB unless told. */
  maxMessageBytes?: number;
}

/** Makes a client; it connects by itself on the first call and again when the connection is lost. */
export function connect<D extends ServiceDefinition>(
  definition: D,
  o: ConnectOptions<D>,
): RpcClient<D> & { close(): void } {
  const client = openChannel({ ...o, resendsUnseen: o.idempotent === undefined });
  const methods = Object.entries(definition).map(([name, method]) => {
    const retried = o.idempotent?.includes(name) ?? false;
    return [name, observeCalls(method, clientMethod(client, method, o.deadlineMs, retried), o.metrics)];
  });
  return { ...Object.fromEntries(methods), close: () => client.close() } as RpcClient<D> & { close(): void };
}

type Items = AsyncIterable<unknown>;

function clientMethod(client: Client, method: MethodDefinition, defaultMs: number, retried: boolean): unknown {
  if (method.requestStream) {
    const call = method.responseStream ? callBidi : callClientStream;
    return (requests: Items, options: CallOptions = {}) => call(client, method, requests, options, defaultMs);
  }
  if (method.responseStream) {
    return (request: unknown, options: CallOptions = {}) =>
      callServerStream(client, method, request, options, defaultMs);
  }
  if (!retried) {
    return (request: unknown, options: CallOptions = {}) => callUnary(client, method, request, options, defaultMs);
  }
  return (request: unknown, options: CallOptions = {}) =>
    withRetry(options, defaultMs, (left) => callUnary(client, method, request, left, defaultMs));
}
