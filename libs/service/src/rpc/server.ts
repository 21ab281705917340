import type { Logger } from '../logger.js';
import type { Metrics } from '../metrics.js';
import type { TlsFiles } from '../tls.js';
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
  /** Name of the service, as in metrics. */
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

/** Makes a server; it does not listen before `start`. */
export function createRpcServer(_o: RpcServerOptions): RpcServer {
  throw new Error('not written yet');
}
