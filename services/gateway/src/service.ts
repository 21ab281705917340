import { readFileSync } from 'node:fs';
import {
  createLogger,
  createMetrics,
  createOperationsServer,
  type Logger,
  mutualTls,
  type Service,
  traceRequests,
} from '@cadastre/service';
import { createAdmission } from './admission.js';
import { createApp } from './app.js';
import { serverCertificate } from './certificate.js';
import { createCertificateFollower } from './certificate-follower.js';
import { createClientCertificates } from './client-certificate.js';
import { createChangeFollower } from './clients/change-follower.js';
import { createLookupBatcher } from './clients/lookup-batcher.js';
import { createLookupCache } from './clients/lookup-cache.js';
import { connectNeighbours, type Neighbours } from './clients/neighbours.js';
import type { Context } from './context.js';
import type { ServerVersion } from './format/resource.js';
import { createLimitSystem } from './limits/limit-system.js';
import { createOwnership } from './limits/ownership.js';
import { createListeners, type Ports } from './listeners.js';
import { interfaceText } from './openapi/interface-text.js';
import { createRequestMetrics } from './request-metrics.js';
import type { GatewaySettings } from './settings.js';
import { createTrustedProxies } from './trusted-proxies.js';
import { readWebFiles } from './web-files.js';

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
  const { reader, feed } = neighbours;
  const trustedProxies = createTrustedProxies(settings);
  const clientCertificates = createClientCertificates(settings.clientCertFrom);
  const cache = createLookupCache(settings.cacheBytes);
  const lookUp = createLookupBatcher(reader, { size: 100, callsInFlight: 8, deadlineMs: settings.readDeadline });
  const requestMetrics = createRequestMetrics(metrics);
  const now = overrides.now ?? (() => new Date());
  const limiting = createLimitSystem({
    settings,
    blocks: neighbours.blocks,
    logger,
    metrics,
    now: () => now().getTime(),
  });
  const admission = createAdmission(settings, metrics);
  const version = serverVersion(settings);
  const context: Context = {
    ...neighbours,
    settings,
    admission,
    lookUp,
    cache,
    clientCertificates,
    trustedProxies,
    webFiles: await readWebFiles(settings.webDirectory),
    consumers: limiting.consumers,
    limits: limiting.limits,
    isOwn: createOwnership(reader, settings.readDeadline),
    version,
    interfaceDescription: Buffer.from(interfaceText(version.version)),
    logger,
    metrics: requestMetrics,
  };
  const app = createApp(context);
  await app.ready();
  const certificate = await serverCertificate(settings);
  const listeners = createListeners(settings, certificate, {
    handle: await traceRequests((request, response) => {
      clientCertificates.strip(request);
      app.routing(request, response);
    }),
    certified: clientCertificates.connected,
    dropped: requestMetrics.dropped,
  });
  const certificateFollower = createCertificateFollower({
    current: certificate,
    load: () => serverCertificate(settings),
    use: listeners.useCertificate,
    everyMs: settings.certificateCheck,
    logger,
    metrics,
  });
  const follower = createChangeFollower({ reader, feed, cache, logger });
  const operations = createOperationsServer({
    address: settings.operationsAddress,
    // Without the other services lookups still work, so they are not asked for here.
    checks: { objects: async () => void (await reader.listSources({}, { deadlineMs: settings.readDeadline })) },
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
      admission.start();
      certificateFollower.start();
      await operations.start();
      logger.info({ ports }, 'listening');
      for (const lack of productionLacks(settings)) logger.warn(lack);
    },
    async stop() {
      certificateFollower.stop();
      admission.stop();
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

/** What a production gateway can do without, but the public will miss. */
function productionLacks({ environment, baseUrl, certificateFile }: GatewaySettings): string[] {
  if (environment !== 'production') return [];
  return [
    ...(baseUrl === undefined ? ['CADASTRE_BASE_URL is not set: links in answers lead to localhost'] : []),
    ...(certificateFile === undefined ? ['CADASTRE_HTTPS_CERT_FILE is not set: clients will not trust HTTPS'] : []),
  ];
}

function serverVersion({ buildTime, buildCommit }: GatewaySettings): ServerVersion {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return {
    version,
    ...(buildTime === undefined ? {} : { timestamp: buildTime }),
    ...(buildCommit === undefined ? {} : { commitId: buildCommit }),
  };
}
