import {
  createLogger,
  createMetrics,
  createOperationsServer,
  type Logger,
  mutualTls,
  type Service,
  traceRequests,
} from '@cadastre/service';
import { createApp } from './app.js';
import { serverCertificate } from './certificate.js';
import { createCertificateFollower } from './certificate-follower.js';
import { createChangeFollower } from './clients/change-follower.js';
import { connectNeighbours, type Neighbours } from './clients/neighbours.js';
import { createContext } from './create-context.js';
import { createLimitSystem } from './limits/limit-system.js';
import { createListeners, type Ports } from './listeners.js';
import { productionLacks } from './production-lacks.js';
import type { GatewaySettings } from './settings.js';

export { type GatewaySettings, gatewaySettings } from './settings.js';

/** The gateway as a service. */
export interface GatewayService extends Service {
  /** The ports that are listened on, after `start`. */
  ports(): Ports;
  /** Where health and metrics are answered, after `start`; `undefined` when they are not. */
  operationsAddress(): string | undefined;
}

/** Makes the gateway; it listens after `start`. Neighbours may be replaced for tests. */
export async function createGatewayService(
  settings: GatewaySettings,
  overrides: Partial<Neighbours> & { logger?: Logger; now?: () => Date } = {},
): Promise<GatewayService> {
  const logger = overrides.logger ?? createLogger({ service: 'gateway', level: settings.logLevel });
  const metrics = createMetrics('gateway');
  const tls = mutualTls(settings, { logger, metrics });
  const neighbours = connectNeighbours(settings, { tls, metrics }, overrides);
  const limiting = createLimitSystem({
    settings,
    blocks: neighbours.blocks,
    logger,
    metrics,
    now: () => (overrides.now?.() ?? new Date()).getTime(),
  });
  const context = await createContext({ settings, neighbours, limiting, logger, metrics });
  const app = createApp(context);
  await app.ready();
  const certificate = await serverCertificate(settings);
  const listeners = createListeners(settings, certificate, {
    handle: await traceRequests((request, response) => {
      context.clientCertificates.strip(request);
      app.routing(request, response);
    }),
    certified: context.clientCertificates.connected,
    dropped: context.metrics.dropped,
  });
  const certificateFollower = createCertificateFollower({
    current: certificate,
    load: () => serverCertificate(settings),
    use: listeners.useCertificate,
    everyMs: settings.certificateCheck,
    logger,
    metrics,
  });
  const follower = createChangeFollower({ ...neighbours, cache: context.cache, logger });
  const operations = createOperationsServer({
    address: settings.operationsAddress,
    // Without the other services lookups still work, so they are not asked for here.
    checks: {
      objects: async () => void (await neighbours.reader.listSources({}, { deadlineMs: settings.readDeadline })),
    },
    degradations: limiting.lacks,
    metrics,
    logger,
  });
  let ports: Ports | undefined;
  return {
    ports() {
      if (ports === undefined) throw new Error('the gateway was not started');
      return ports;
    },
    operationsAddress: operations.address,
    async start() {
      await limiting.start();
      ports = await listeners.start();
      if (settings.cacheBytes > 0) await follower.start();
      context.admission.start();
      certificateFollower.start();
      await operations.start();
      logger.info({ ports }, 'listening');
      for (const lack of productionLacks(settings)) logger.warn(lack);
    },
    async stop() {
      certificateFollower.stop();
      context.admission.stop();
      operations.drain();
      await listeners.stop(settings.drain);
      await operations.stop();
      await follower.stop();
      await app.close();
      await limiting.stop();
      for (const client of Object.values(neighbours)) client.close();
      tls?.close();
    },
  };
}
