import type { baseSettings } from './base-settings.js';
import { createLogger, type Logger } from './logger.js';
import { createMetrics, type Metrics } from './metrics.js';
import { createOperationsServer } from './operations.js';
import { SettingsError, type Values } from './read-settings.js';
import { type AllowedCallers, createAccess } from './rpc/access.js';
import { createRpcServer, type Implementation } from './rpc/server.js';
import type { rpcSettings } from './rpc-settings.js';
import type { Service } from './service.js';
import { type MutualTls, mutualTls } from './tls.js';

type ServiceSettings = Values<typeof baseSettings & typeof rpcSettings>;

/** What every service begins with. */
export interface ServiceBasis {
  /** Name of the service, as in the log. */
  readonly name: string;
  readonly settings: ServiceSettings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** `stop` of the service closes it last. */
  readonly tls: MutualTls | undefined;
}

/** Makes the log, unless there is one, the metrics and the certificates of a service. Throws a SettingsError. */
export function serviceBasis(name: string, settings: ServiceSettings, given?: Logger): ServiceBasis {
  const logger = given ?? createLogger({ service: name, level: settings.logLevel });
  const metrics = createMetrics(name);
  return { name, settings, logger, metrics, tls: mutualTls(settings, { logger, metrics }) };
}

export interface RpcServiceOptions extends ServiceBasis {
  implementations: Implementation[];
  allowedCallers: AllowedCallers;
  /** As for `createRpcServer`. */
  maxMessageBytes?: number;
  /** As for `createOperationsServer`. */
  checks: Record<string, () => Promise<void>>;
  /** As for `createOperationsServer`. */
  startChecks?: Record<string, () => Promise<void>>;
  /** As for `createOperationsServer`. */
  metricsText?: () => Promise<string>;
  /** As for `createOperationsServer`. */
  checkIntervalMs?: number;
  /** Starts what the methods need; runs before the server listens. */
  prepare?: () => Promise<void>;
  /** Ends calls that would not end by themselves, such as streams; runs when the service stops accepting calls. */
  drain?: () => Promise<void>;
  /** Releases the resources of the methods; runs last. */
  release: () => Promise<void>;
}

/**
 * A complete gRPC service: its server, its operations port, and health that follows the checks. Throws a SettingsError
 * for a production service that would accept calls from every host.
 */
export function createRpcService(o: RpcServiceOptions): Service & { address(): string } {
  const { name, settings, logger, metrics, tls, implementations, allowedCallers, checks } = o;
  refuseOpenProduction(settings, tls);
  const server = createRpcServer({
    name,
    logger,
    metrics,
    address: settings.listen,
    tls,
    implementations,
    access: createAccess({ settings, allowedCallers, withTls: tls !== undefined, logger, metrics }),
    reflection: true,
    ...(o.maxMessageBytes === undefined ? {} : { maxMessageBytes: o.maxMessageBytes }),
  });
  const operations = createOperationsServer({
    address: settings.operations,
    checks,
    metrics,
    logger,
    onReadiness: server.setServing,
    ...(o.startChecks === undefined ? {} : { startChecks: o.startChecks }),
    ...(o.metricsText === undefined ? {} : { metricsText: o.metricsText }),
    ...(o.checkIntervalMs === undefined ? {} : { intervalMs: o.checkIntervalMs }),
  });
  let address = settings.listen;
  return {
    /** The address it listens on; known after `start`. */
    address: () => address,
    async start() {
      await o.prepare?.();
      ({ address } = await server.start());
      await operations.start();
    },
    async stop() {
      operations.drain();
      await o.drain?.();
      await server.stop();
      await o.release();
      await operations.stop();
      tls?.close();
    },
  };
}

function refuseOpenProduction(settings: ServiceSettings, tls: MutualTls | undefined): void {
  const isPrivate = /^(unix:|127\.|localhost:|\[::1\])/.test(settings.listen);
  if (settings.environment !== 'production' || tls || isPrivate || settings.plaintext) return;
  throw new SettingsError([
    'CADASTRE_TLS_CERT_FILE: a production service accepts calls from other hosts only with certificates (or CADASTRE_RPC_PLAINTEXT=true)',
  ]);
}
