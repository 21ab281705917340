import type { Metrics } from '../metrics.js';
import { type ChannelOptions, openChannel } from './channel.js';
import { callBidi, callClientStream, callServerStream, callUnary, type Route } from './client-call.js';
import { createExchanges } from './exchange/replicas.js';
import { observeCalls } from './observe-calls.js';
import { untilFirstMessage, withRetry } from './retry.js';
import type { CallOptions, MethodDefinition, RpcClient, ServiceDefinition } from './types.js';

/** How to reach a server. */
export interface PeerOptions extends ChannelOptions {
  /** Registers `cadastre_rpc_client_seconds`. */
  metrics?: Metrics | undefined;
}

/** How to call a service. */
export interface ClientOptions {
  /** Default deadline of a call, including its stream, in milliseconds; Infinity for none. */
  deadlineMs: number;
  /**
   * Whether to retry idempotent methods with one request, for up to a second, while the server is unavailable; default
   * true. A response stream is retried until its first message. Calls of all methods that reached no handler are sent
   * again.
   */
  retries?: boolean;
}

/** A server, or its replicas, and its services. */
export interface Peer {
  client<D extends ServiceDefinition>(definition: D, options: ClientOptions): RpcClient<D>;
  close(): void;
}

export type ConnectOptions = PeerOptions & ClientOptions;

/**
 * Makes a client of one service; it connects on the first call and reconnects when the connection is lost. With `using`
 * it closes at the end of the block.
 */
export function connect<D extends ServiceDefinition>(
  definition: D,
  o: ConnectOptions,
): RpcClient<D> & Disposable & { close(): void } {
  const peer = openPeer(o);
  return { ...peer.client(definition, o), close: peer.close, [Symbol.dispose]: peer.close };
}

/** Makes the clients of a server, which share its connections. */
export function openPeer(o: PeerOptions): Peer {
  const channel = openChannel(o);
  const exchanges = createExchanges(channel, o.address);
  const route = { channel, exchanges };
  return {
    client<D extends ServiceDefinition>(definition: D, { deadlineMs, retries = true }: ClientOptions) {
      const methods = Object.entries(definition).map(([name, method]) => {
        const retried = retries && method.idempotent === true;
        return [name, observeCalls(method, clientMethod(route, method, deadlineMs, retried), o.metrics)];
      });
      return Object.fromEntries(methods) as RpcClient<D>;
    },
    close() {
      exchanges.close();
      channel.close();
    },
  };
}

type Items = AsyncIterable<unknown>;

function clientMethod(route: Route, method: MethodDefinition, defaultMs: number, retried: boolean): unknown {
  if (method.requestStream) {
    const call = method.responseStream ? callBidi : callClientStream;
    return (requests: Items, options: CallOptions = {}) => call(route.channel, method, requests, options, defaultMs);
  }
  if (method.responseStream) {
    const call = (request: unknown, options: CallOptions = {}) =>
      callServerStream(route, method, request, options, defaultMs);
    if (!retried) return call;
    return (request: unknown, options: CallOptions = {}) =>
      untilFirstMessage(options, defaultMs, (left) => call(request, left));
  }
  const call = (request: unknown, options: CallOptions = {}) => callUnary(route, method, request, options, defaultMs);
  if (!retried) return call;
  return (request: unknown, options: CallOptions = {}) => withRetry(options, defaultMs, (left) => call(request, left));
}
