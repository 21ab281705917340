import { createLogger, type Logger } from './logger.js';
import { createMetrics, type Metrics } from './metrics.js';
import { createOperationsServer, type OperationsOptions } from './operations.js';
import { SettingsError, type Values } from './read-settings.js';
import { type AllowedCallers, createAccess } from './rpc/access.js';
import { createRpcServer, type RpcServerOptions } from './rpc/server.js';
import type { Service } from './service.js';
import type { baseSettings, rpcSettings } from './shared-settings.js';
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

export interface RpcServiceOptions
  extends ServiceBasis,
    Pick<RpcServerOptions, 'implementations' | 'maxMessageBytes'>,
    Pick<OperationsOptions, 'checks' | 'startChecks' | 'metricsText'> {
  allowedCallers: AllowedCallers;
  /** `OperationsOptions.intervalMs`. */
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
  const { settings, logger, metrics, tls, allowedCallers } = o;
  refuseOpenProduction(settings, tls);
  const server = createRpcServer({
    ...o,
    address: settings.listen,
    access: createAccess({ settings, allowedCallers, withTls: tls !== undefined, logger, metrics }),
    reflection: true,
  });
  const operations = createOperationsServer({
    ...o,
    address: settings.operations,
    intervalMs: o.checkIntervalMs,
    onReadiness: server.setServing,
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
