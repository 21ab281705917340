import { once } from 'node:events';
import { lstat, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { HealthService } from '@cadastre/proto/health';
import { experimental, Server, ServerCredentials } from '@grpc/grpc-js';
import type { Histogram } from 'prom-client';
import type { Logger } from '../logger.js';
import type { Metrics } from '../metrics.js';
import type { MutualTls } from '../tls.js';
import { type Access, free, serviceOf } from './access.js';
import { adapt, type CallHooks, definitionOnWire } from './adapt.js';
import { type RunningCalls, stopCalls } from './call.js';
import { createExchangeServer, type ExchangedMethod, type ExchangeServer } from './exchange/server.js';
import { createHealth } from './health.js';
import { callHistogram } from './observe-calls.js';
import { addReflection } from './reflection.js';
import type { Handlers, Keepalive, ServiceDefinition } from './types.js';

/** A service of a contract with its handlers. */
export interface Implementation {
  definition: ServiceDefinition;
  handlers: Handlers<ServiceDefinition>;
}

/**
 * Binds handlers to the service they implement. A stream continues when HTTP/2 has accepted all but 64 KiB of its
 * messages, so a handler knows when the memory of a large one is free.
 */
export function implement<D extends ServiceDefinition>(definition: D, handlers: Handlers<D>): Implementation {
  return { definition, handlers: handlers as unknown as Handlers<ServiceDefinition> };
}

export interface RpcServerOptions {
  /** Name of the service, as in the log. */
  name: string;
  logger: Logger;
  metrics: Metrics;
  /** `host:port` (port 0 chooses a free one) or `unix:/path`. */
  address: string;
  /** Mutual TLS; without it calls are not encrypted. */
  tls?: MutualTls | undefined;
  implementations: Implementation[];
  /** The permissions of callers; without it every caller may call everything. */
  access?: Access;
  /** Whether to offer gRPC reflection. */
  reflection?: boolean;
  /** Keepalive; default: a ping every 30 s, and 10 s for its response. */
  keepalive?: Keepalive;
  /** Maximum size of a received message; default 16 MiB. */
  maxMessageBytes?: number;
}

/** A gRPC server with health, metrics, deadlines and one mapping of errors. */
export type RpcServer = ReturnType<typeof createRpcServer>;

/** Makes a server; `start` makes it listen. */
export function createRpcServer(o: RpcServerOptions) {
  const server = new Server({
    'grpc.max_receive_message_length': o.maxMessageBytes ?? 16 * 1024 * 1024,
    'grpc.max_send_message_length': -1,
    // Clients renew their connections: if the server did, running streams would end (see channel.ts).
    'grpc.keepalive_time_ms': o.keepalive?.timeMs ?? 30_000,
    'grpc.keepalive_timeout_ms': o.keepalive?.timeoutMs ?? 10_000,
    'grpc.enable_channelz': 0,
  });
  const running: RunningCalls = new Set();
  let listening: string | undefined;
  const names = o.implementations.map(({ definition }) => serviceOf(Object.values(definition)[0]!.path));
  const health = createHealth(names);
  const exchanges = addImplementations(server, o, running);
  server.addService(HealthService, health.handlers);
  if (o.reflection) addReflection(server, names, (surface) => o.access?.admitKnown(o.access.callerOf(surface)) ?? free);
  return {
    /** Publishes by grpc.health.v1 whether the service works. */
    setServing: health.setServing,
    /** Listens; returns the address with the actual port. */
    async start(): Promise<{ address: string }> {
      const address = await listen(server, o.address, serverCredentials(o));
      listening = address;
      // Callers that the old CA certified must reconnect with a certificate of the new one.
      o.tls?.onNewAuthority(() => {
        exchanges.drain();
        server.drain(address, drainMs);
      });
      health.setServing(true);
      o.logger.info({ address }, 'listening');
      return { address };
    },
    /** Stops accepting, waits up to `graceMs` (default 5,000) for running calls, then cancels them. */
    async stop(graceMs: number = drainMs): Promise<void> {
      health.setServing(false);
      exchanges.stop();
      const begun = [...running];
      const leftMs = await untilDone(graceMs, () => !exchanges.areOpen() && !begun.some((call) => running.has(call)));
      if (listening !== undefined) await drain(server, listening, running, leftMs);
      o.access?.close();
    },
  };
}

/** How long running calls may continue when their connection closes or the server stops. */
const drainMs = 5000;
/** How often a stopping server checks whether its calls have ended. */
const checkMs = 5;
/** How often it checks for connections that were established meanwhile. */
const lateMs = 100;

/**
 * Waits until calls have ended, up to `limitMs`; returns how much of that time is left. A connection must not close
 * before: grpc-js cannot ping one that is closing, and then ends its calls
 * (https://github.com/grpc/grpc-node/issues/3068).
 */
async function untilDone(limitMs: number, isDone: () => boolean): Promise<number> {
  const end = performance.now() + limitMs;
  while (!isDone() && performance.now() < end) await delay(checkMs);
  return Math.max(0, end - performance.now());
}

/** Adds the services, and exchanges for their methods. */
function addImplementations(server: Server, o: RpcServerOptions, running: RunningCalls): ExchangeServer {
  const { callerOf, admit } = o.access ?? openToAll;
  const around: CallHooks = { logger: o.logger, running, callerOf, admit, observe: observation(o.metrics) };
  const exchanged = new Map<string, ExchangedMethod>();
  for (const { definition, handlers } of o.implementations) {
    const methods = Object.entries(definition);
    const onWire = Object.fromEntries(methods.map(([name, method]) => [name, definitionOnWire(method)]));
    const adapted = methods.map(([name, method]) => [name, adapt(method, handlers[name], around)]);
    server.addService(onWire as Parameters<Server['addService']>[0], Object.fromEntries(adapted));
    for (const [name, method] of methods) {
      if (!method.requestStream) exchanged.set(method.path, { method, handler: handlers[name] });
    }
  }
  const exchanges = createExchangeServer(exchanged, around, (stream) =>
    o.access?.requireKnown(o.access.callerOf(stream)),
  );
  server.addService(exchanges.definition as Parameters<Server['addService']>[0], exchanges.handlers);
  return exchanges;
}

const openToAll: Pick<Access, 'callerOf' | 'admit'> = {
  callerOf: () => ({ name: 'local', kind: 'local' }),
  admit: () => free,
};

function observation(metrics: Metrics): CallHooks['observe'] {
  const histogram: Histogram<'method' | 'outcome'> = callHistogram(
    metrics,
    'server',
    'Time of calls by method and outcome',
  );
  return (method, outcome, seconds) => histogram.observe({ method: method.path, outcome }, seconds);
}

/** Requires a certificate of our CA, unless callers may use tokens: then either. */
function serverCredentials({ tls, access }: RpcServerOptions): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure();
  const demanded = !access?.takesTokens;
  return experimental.createCertificateProviderServerCredentials(tls.provider, tls.provider, demanded);
}

/**
 * The signal requests handlers to end; those that ignore it are cut off. Without channelz, `forceShutdown` of grpc-js
 * knows no connections, and `tryShutdown` none that are established while it runs, so `server.drain` closes them.
 */
async function drain(server: Server, address: string, running: RunningCalls, graceMs: number): Promise<void> {
  const forcedMs = graceMs + 500;
  const drained = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  const late = setInterval(() => server.drain(address, forcedMs), lateMs);
  const cancel = setTimeout(() => stopCalls(running), graceMs);
  await Promise.race([drained, delay(forcedMs + lateMs, undefined, { ref: false })]);
  clearInterval(late);
  clearTimeout(cancel);
  server.forceShutdown();
}

/** Binds a gRPC server; returns the address with the actual port. Throws when the address is in use. */
async function listen(server: Server, address: string, credentials: ServerCredentials): Promise<string> {
  if (address.startsWith('unix:')) await removeStaleSocket(address.slice('unix:'.length));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(address, credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  return address.startsWith('unix:') ? address : address.replace(/:\d+$/, `:${port}`);
}

/** A killed process leaves a socket on which nothing listens. */
async function removeStaleSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isSocket()) return;
  const socket = connect(path);
  const isInUse = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  if (isInUse) throw new Error(`unix:${path} is in use by another process`);
  await unlink(path);
}
