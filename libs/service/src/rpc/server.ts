import { readFileSync } from 'node:fs';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import { Histogram } from 'prom-client';
import { ServiceError } from '../errors.js';
import type { Logger } from '../logger.js';
import type { Metrics } from '../metrics.js';
import type { TlsFiles } from '../tls.js';
import { adapt, type Surroundings } from './adapt.js';
import { listen } from './listen.js';
import type { Handlers, ServiceDefinition } from './types.js';

/** A service of a contract with its handlers. */
export interface Implementation {
  definition: ServiceDefinition;
  handlers: Handlers<ServiceDefinition>;
}

/** Binds handlers to the service they implement. */
export function implement<D extends ServiceDefinition>(definition: D, handlers: Handlers<D>): Implementation {
  return { definition, handlers: handlers as unknown as Handlers<ServiceDefinition> };
}

export interface RpcServerOptions {
  /** Name of the service, as in the log. */
  name: string;
  logger: Logger;
  metrics: Metrics;
  /** `host:port` (port 0 takes a free one) or `unix:/path`. */
  address: string;
  /** Mutual TLS; without it calls are in the clear. */
  tls?: TlsFiles | undefined;
  implementations: Implementation[];
  /**
   * Who may call, by common name: method path ("/cadastre.auth.v1.ApiKeyService/CreateApiKey") before service name
   * ("cadastre.auth.v1.ApiKeyService"). What is not listed is open to every caller. Ignored without TLS.
   */
  allowedCallers?: Record<string, string[]>;
  /** Largest message received; 16 MiB unless told. */
  maxMessageBytes?: number;
}

/** A gRPC server with health, metrics, deadlines and one mapping of errors. */
export interface RpcServer {
  /** Listens; tells the address with the port that was taken. */
  start(): Promise<{ address: string }>;
  /** Stops accepting, waits for running calls at most `graceMs` (5,000 unless told), then cancels them. */
  stop(graceMs?: number): Promise<void>;
  /** Publishes by grpc.health.v1 whether the service can do its work. */
  setServing(serving: boolean): void;
}

/** Connections end after this time, so that clients look for new servers of the same name. */
const maxConnectionAgeMs = 600_000;

/** Makes a server; it does not listen before `start`. */
export function createRpcServer(o: RpcServerOptions): RpcServer {
  const server = new Server({
    'grpc.max_receive_message_length': o.maxMessageBytes ?? 16 * 1024 * 1024,
    'grpc.max_send_message_length': -1,
    'grpc.max_connection_age_ms': maxConnectionAgeMs,
    'grpc.enable_channelz': 0,
  });
  const stopping = new AbortController();
  const names = o.implementations.map(({ definition }) => serviceName(Object.values(definition)[0]!.path));
  const health = new HealthImplementation(Object.fromEntries(['', ...names].map((name) => [name, 'NOT_SERVING'])));
  const setServing = (serving: boolean) => {
    for (const name of ['', ...names]) health.setStatus(name, serving ? 'SERVING' : 'NOT_SERVING');
  };
  addImplementations(server, o, stopping.signal);
  health.addToServer(server);
  return {
    setServing,
    async start() {
      const address = await listen(server, o.address, serverCredentials(o.tls));
      setServing(true);
      o.logger.info({ address }, 'listening');
      return { address };
    },
    async stop(graceMs = 5000) {
      setServing(false);
      await drain(server, stopping, graceMs);
    },
  };
}

function addImplementations(server: Server, o: RpcServerOptions, stopping: AbortSignal): void {
  const around: Surroundings = { logger: o.logger, stopping, admit: admission(o), observe: observation(o.metrics) };
  for (const { definition, handlers } of o.implementations) {
    const adapted = Object.entries(definition).map(([name, method]) => [name, adapt(method, handlers[name], around)]);
    server.addService(definition as Parameters<Server['addService']>[0], Object.fromEntries(adapted));
  }
}

function serviceName(path: string): string {
  return path.split('/')[1] ?? '';
}

function admission(o: RpcServerOptions): Surroundings['admit'] {
  return (method, call) => {
    if (!o.tls) return;
    const allowed = o.allowedCallers?.[method.path] ?? o.allowedCallers?.[serviceName(method.path)];
    if (allowed && !allowed.includes(call.caller)) {
      throw new ServiceError('forbidden', 'This caller may not use this method');
    }
  };
}

function observation(metrics: Metrics): Surroundings['observe'] {
  const name = 'cadastre_rpc_server_seconds';
  const histogram =
    (metrics.getSingleMetric(name) as Histogram<'method' | 'outcome'> | undefined) ??
    new Histogram({
      name,
      help: 'Time of calls by method and outcome',
      labelNames: ['method', 'outcome'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [metrics],
    });
  return (method, outcome, seconds) => histogram.observe({ method: method.path, outcome }, seconds);
}

function serverCredentials(tls: TlsFiles | undefined): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure();
  const pair = { private_key: readFileSync(tls.keyFile), cert_chain: readFileSync(tls.certFile) };
  return ServerCredentials.createSsl(readFileSync(tls.caFile), [pair], true);
}

/** Handlers hear of the end by their signal; what ignores even that is cut off. */
async function drain(server: Server, stopping: AbortController, graceMs: number): Promise<void> {
  const drained = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  const cancel = setTimeout(() => stopping.abort(), graceMs);
  const force = setTimeout(() => server.forceShutdown(), graceMs + 500);
  await drained;
  clearTimeout(cancel);
  clearTimeout(force);
  server.forceShutdown();
}
