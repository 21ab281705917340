import { SetServiceService } from '@cadastre/proto/whois';
import {
  type AnswerMemory,
  createAnswerMemory,
  createLogger,
  createMetrics,
  createRpcService,
  defineProgram,
  implement,
  type Logger,
  type Metrics,
  mutualTls,
  type Pauses,
  readAddressList,
  type Service,
} from '@cadastre/service';
import { AggregatorRegistry } from 'prom-client';
import { type Backends, connectBackends } from './context.js';
import { readIrrdLine } from './dialects.js';
import { forkIndex } from './index-process/forked-index.js';
import { createIndexPart } from './index-process/index-part.js';
import type { Samples } from './index-process/index-service.js';
import { createListener, type Listener, usualDrainMs } from './listener/listener.js';
import { registerListenerMetrics } from './listener/port-connection.js';
import { openPortTls } from './listener/port-tls.js';
import { createQueryPart } from './query-part.js';
import { allowedCallers } from './rpc/index.js';
import type { IndexBounds } from './sets/index-budget.js';
import { type WhoisSettings, whoisSettings } from './settings.js';

/** Replacements of the usual parts in tests. */
export interface WhoisOverrides {
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  readonly backends?: Backends & { close(): void };
  /** Runs the set index in this process: one that other services share, or a test. */
  readonly withoutFork?: boolean;
  /** How long answers that are being sent may take when the service stops. */
  readonly drainMs?: number;
  /** Pauses while the objects service is unavailable, or before the index process is started again. */
  readonly pauses?: Pauses;
  /** Time between two reads of the certificate for whois over TLS. */
  readonly certificateIntervalMs?: number;
  /** Memory of answers. */
  readonly memory?: AnswerMemory;
  /** Time between two comparisons with preferred sources, in milliseconds, without a fork. */
  readonly preferenceIntervalMs?: number;
  /** Bounds of the set index, without a fork. */
  readonly indexBounds?: IndexBounds;
}

/** Memory of answers of the main process, which takes four times as much: the texts of a page are there, too. */
const answerBytes = 32 * 1024 * 1024;

/**
 * Makes the whois service; `address` (gRPC: expansions) and `port` and `tlsPort` (whois) are known after `start`. The set index is in
 * a process of its own: its end does not end RIPE-style queries.
 */
export async function createWhoisService(
  settings: WhoisSettings,
  overrides: WhoisOverrides = {},
): Promise<Service & Pick<Listener, 'port' | 'tlsPort'> & { address(): string }> {
  const logger = overrides.logger ?? createLogger({ service: 'whois', level: settings.logLevel });
  const metrics = overrides.metrics ?? createMetrics('whois');
  const tls = mutualTls(settings, { logger, metrics });
  const backends = overrides.backends ?? connectBackends(settings, { tls, metrics });
  const queries = createQueryPart({ settings, logger, metrics, backends });
  const counts = registerListenerMetrics(metrics);
  const index = overrides.withoutFork
    ? createIndexPart({ ...overrides, settings, logger, metrics, counts, queries })
    : forkIndex({ settings, logger, metrics, pauses: overrides.pauses });
  const { proxyProtocolFrom } = settings;
  const listener = createListener({
    ...settings,
    ...queries,
    tls: openPortTls(settings, { logger, metrics, intervalMs: overrides.certificateIntervalMs }),
    limiter: queries.context.limiter,
    unlimited: readAddressList('CADASTRE_UNLIMITED_NETWORKS', settings.unlimitedNetworks),
    proxies:
      proxyProtocolFrom.length === 0 ? undefined : readAddressList('CADASTRE_PROXY_PROTOCOL_FROM', proxyProtocolFrom),
    handsOver: (line) => readIrrdLine(line) !== undefined,
    index,
    memory: overrides.memory ?? createAnswerMemory({ maxBytes: answerBytes }),
    drainMs: overrides.drainMs ?? usualDrainMs,
    logger,
    counts,
  });
  const service = createRpcService({
    name: 'whois',
    settings,
    logger,
    metrics,
    tls,
    implementations: [implement(SetServiceService, index.handlers)],
    allowedCallers,
    checks: {},
    startChecks: index.checks,
    metricsText: async () => textOf(await metrics.getMetricsAsJSON(), await index.otherSamples()),
    prepare: async () => {
      await queries.start();
      await index.start();
      await listener.start();
    },
    drain: async () => {
      index.drain();
      await listener.stop();
    },
    release: async () => {
      await index.stop();
      await queries.stop();
      backends.close();
    },
  });
  return { ...service, port: listener.port, tlsPort: listener.tlsPort };
}

/** The samples of both processes as Prometheus reads them. They differ by a label. */
function textOf(...processes: Samples[]): Promise<string> {
  const asTheyAre = processes.map((samples) => samples.map((one) => ({ ...one, aggregator: 'first' })));
  return AggregatorRegistry.aggregate(asTheyAre).metrics();
}

/** The service as a program; where it shares its process, the set index does so too. */
export const program = defineProgram('whois', whoisSettings, (settings, logger, isShared) =>
  createWhoisService(settings, { logger, withoutFork: isShared }),
);
