import { createBlockList, createCredentialFollower, createLimiter, networksOf, unlimited } from '@cadastre/limits';
import {
  type AnswerMemory,
  createAnswerMemory,
  createLogger,
  createMetrics,
  createOperationsServer,
  defineProgram,
  isUnanswered,
  type Logger,
  mutualTls,
  plainAddress,
  readAddressList,
  type Service,
  ServiceError,
  traceRequests,
  type Values,
} from '@cadastre/service';
import { createApp } from './app.js';
import { createChangeFollower } from './backends/change-follower.js';
import { type Backends, connectBackends } from './backends/connect.js';
import { type Bounds, usualBounds } from './bounds.js';
import { createContext } from './create-context.js';
import { openRdapFiles } from './rdap/bootstrap-files.js';
import { createCertificateFollower, serverCertificate } from './server/certificate.js';
import { createListeners, type ListenerHandlers, type Ports } from './server/listeners.js';
import { type GatewaySettings, gatewaySettings } from './settings.js';

/** The gateway as a service. */
export interface GatewayService extends Service {
  /** The ports that the gateway listens on, after `start`. */
  ports(): Ports;
  /** The address of health and metrics, after `start`; `undefined` when the settings name none. */
  operationsAddress(): string | undefined;
  /** Handles a request like the listeners, for tests without connections. */
  handle: ListenerHandlers['onRequest'];
}

/** Replacements for tests. */
interface Overrides extends Partial<Backends> {
  readonly logger?: Logger;
  readonly now?: () => Date;
  readonly bounds?: Partial<Bounds>;
  readonly answerMemory?: AnswerMemory;
}

const mebibyte = 1024 * 1024;

/**
 * Memory for replies that clients have not read yet. With 64 MiB for bodies and up to 100 MiB for caches, it leaves
 * more than half of the memory of a gateway in the chart (768 MiB) for its work.
 */
const answerMemoryBounds = { maxBytes: 128 * mebibyte, maxBytesPerClient: 32 * mebibyte };

/** Makes the gateway; it listens after `start`. */
export async function createGatewayService(
  given: Values<typeof gatewaySettings>,
  overrides: Overrides = {},
): Promise<GatewayService> {
  const settings: GatewaySettings = { ...given, ...usualBounds, ...overrides.bounds };
  const logger = overrides.logger ?? createLogger({ service: 'gateway', level: settings.logLevel });
  const metrics = createMetrics('gateway');
  const tls = mutualTls(settings, { logger, metrics });
  const backends = connectBackends(settings, { tls, metrics }, overrides);
  const { now: currentDate } = overrides;
  const blockList = createBlockList(metrics);
  const limiter = createLimiter({
    settings,
    service: 'gateway',
    syncMs: settings.limitsSync,
    blockList,
    logger,
    metrics,
    now: currentDate === undefined ? Date.now : () => currentDate().getTime(),
  });
  const rdapFiles = await openRdapFiles(settings, logger, metrics);
  const { answerMemory = createAnswerMemory(answerMemoryBounds) } = overrides;
  const context = await createContext({ settings, backends, limiter, rdapFiles, answerMemory, logger, metrics });
  const app = createApp(context);
  await app.ready();
  const certificate = await serverCertificate(settings, logger);
  const limitedClientAt = (address = '') =>
    context.trustedProxies.includes(address) ? undefined : limiter.clients.atAddress(plainAddress(address));
  const isBounded = (address: string | undefined) => {
    const client = limitedClientAt(address);
    return client !== undefined && client.limits !== unlimited;
  };
  const unlimitedNetworks = readAddressList('CADASTRE_UNLIMITED_NETWORKS', settings.unlimitedNetworks);
  const handle = traceRequests((request, response) => {
    context.clientCertificates.strip(request);
    app.routing(request, response);
  });
  const handlers: ListenerHandlers = {
    onRequest: handle,
    onClientCertificate: context.clientCertificates.connected,
    networksAt: (address = '') =>
      unlimitedNetworks.includes(address) || !isBounded(address) ? undefined : networksOf(plainAddress(address)),
    isBounded,
    onDrop: context.metrics.dropped,
    onLostRequests(address, count) {
      context.metrics.lost(count);
      const client = limitedClientAt(address);
      for (let left = client ? count : 0; left > 0; left--) limiter.count(client!, 'queries');
    },
  };
  const listeners = createListeners(settings, certificate, handlers);
  const certificateFollower = createCertificateFollower({
    current: certificate,
    load: () => serverCertificate(settings, logger),
    use: listeners.useCertificate,
    everyMs: settings.certificateCheck,
    logger,
    metrics,
  });
  const follower = createChangeFollower({
    ...backends,
    cache: context.cache,
    changeLog: context.changeLog,
    logger,
    metrics,
  });
  const credentialFollower = createCredentialFollower({
    auth: backends.auth,
    identities: context.identities,
    blockList,
    logger,
    silenceMs: settings.credentialSilence,
  });
  const operations = createOperationsServer({
    address: settings.operations,
    // Lookups work without the other services, so there are no checks of these.
    checks: {
      connections: listeners.requireRoom,
      objects: () => reachObjects(backends.reader, settings.deadlines.read),
    },
    degradations: limiter.degradations,
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
    handle,
    async start() {
      await limiter.start();
      await credentialFollower.start();
      ports = await listeners.start();
      await follower.start();
      context.admission.start();
      certificateFollower.start();
      rdapFiles.start();
      await operations.start();
      logger.info({ ports }, 'listening');
      for (const missing of missingInProduction(settings)) logger.warn(missing);
    },
    async stop() {
      certificateFollower.stop();
      rdapFiles.stop();
      context.admission.stop();
      operations.drain();
      context.changeLog.end();
      await listeners.stop(settings.drain);
      await operations.stop();
      await follower.stop();
      await credentialFollower.stop();
      await app.close();
      await context.renderer.close();
      await limiter.stop();
      backends.close();
      tls?.close();
    },
  };
}

/**
 * Fails when this gateway cannot reach objects. Succeeds when objects answers that its database is unavailable: all
 * gateways get that answer, and if none were ready, clients would lose the cached responses, and the 503 with the time
 * to retry.
 */
async function reachObjects(reader: Backends['reader'], deadlineMs: number): Promise<void> {
  try {
    await reader.listSources({}, { deadlineMs });
  } catch (error) {
    if (!(error instanceof ServiceError && error.kind === 'unavailable') || isUnanswered(error)) throw error;
  }
}

/** Optional settings that a production system should have. */
function missingInProduction({ environment, baseUrl, certificateFile }: GatewaySettings): string[] {
  if (environment !== 'production') return [];
  return [
    ...(baseUrl === undefined ? ['CADASTRE_BASE_URL is not set: links in answers lead to localhost'] : []),
    ...(certificateFile === undefined ? ['CADASTRE_HTTPS_CERT_FILE is not set: clients will not trust HTTPS'] : []),
  ];
}

/** The service as a program. */
export const program = defineProgram('gateway', gatewaySettings, (settings, logger) =>
  createGatewayService(settings, { logger }),
);
