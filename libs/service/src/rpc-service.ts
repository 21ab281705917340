import type { baseSettings } from './base-settings.js';
import type { Service } from './lifecycle.js';
import type { Logger } from './logger.js';
import { createMetrics } from './metrics.js';
import { createOperationsServer } from './operations.js';
import type { Values } from './read-settings.js';
import { createRpcServer, type Implementation } from './rpc/server.js';
import { tlsFiles } from './tls.js';

export interface RpcServiceOptions {
  /** Name of the service: in the log, in metrics. */
  name: string;
  /** `baseSettings`, and the addresses of the gRPC and of the operator's port. */
  settings: Values<typeof baseSettings> & { listen: string; operations: string | undefined };
  logger: Logger;
  implementations: Implementation[];
  /** As for `createRpcServer`. */
  allowedCallers: Record<string, string[]>;
  /** As for `createOperationsServer`. */
  checks: Record<string, () => Promise<void>>;
  /** As for `createOperationsServer`. */
  checkIntervalMs?: number;
  /** Releases what the methods worked with; called last. */
  release: () => Promise<void>;
}

/** A whole gRPC service: its server, its operator's port, and health that follows the checks. */
export function createRpcService(o: RpcServiceOptions): Service & { address(): string } {
  const { name, settings, logger, implementations, allowedCallers, checks } = o;
  const metrics = createMetrics(name);
  const server = createRpcServer({
    name,
    logger,
    metrics,
    address: settings.listen,
    tls: tlsFiles(settings),
    implementations,
    allowedCallers,
  });
  const operations = createOperationsServer({
    address: settings.operations,
    checks,
    metrics,
    logger,
    onReadiness: server.setServing,
    ...(o.checkIntervalMs === undefined ? {} : { intervalMs: o.checkIntervalMs }),
  });
  let address = settings.listen;
  return {
    /** Where it listens: known after `start`. */
    address: () => address,
    async start() {
      ({ address } = await server.start());
      await operations.start();
    },
    async stop() {
      await operations.stop();
      await server.stop();
      await o.release();
    },
  };
}
