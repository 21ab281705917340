import { AbuseContactServiceService } from '@cadastre/proto/geo';
import { ChangeFeedServiceService, ObjectReaderServiceService } from '@cadastre/proto/objects';
import { SearchServiceService } from '@cadastre/proto/search';
import {
  connect,
  createLogger,
  createMetrics,
  createOperationsServer,
  createRpcServer,
  implement,
  type Logger,
  type Service,
  tlsFiles,
} from '@cadastre/service';
import { holdersFrom } from './annotations/holders-client.js';
import type { CheckRoute, DescribeHolders } from './annotations/ports.js';
import { chooseIndex } from './choose-index.js';
import { allSources, type Context } from './context.js';
import { registerIndexMetrics } from './index-metrics.js';
import type { SearchIndex } from './index-port.js';
import { createIndexer } from './indexer/indexer.js';
import type { Truth } from './indexer/truth.js';
import { chooseRoa } from './roa/choose-roa.js';
import { allowedCallers, searchHandlers } from './rpc/index.js';
import type { SearchSettings } from './settings.js';

/** Where the migrations of the database stand, for `migrate`. */
export const migrations = new URL('../migrations/', import.meta.url);

/** What tests put in the place of other processes. */
export interface Overrides {
  readonly logger?: Logger;
  readonly index?: SearchIndex;
  readonly truth?: Truth;
  readonly describeHolders?: DescribeHolders;
  readonly checkRoute?: CheckRoute;
}

/** Makes the search service; `address` is known after `start`. Errors: SettingsError when the adapter lacks a setting. */
export async function createSearchService(
  settings: SearchSettings,
  overrides: Overrides = {},
): Promise<Service & { address(): string }> {
  const logger = overrides.logger ?? createLogger({ service: 'search', level: settings.logLevel });
  const metrics = createMetrics('search');
  const clients = connectClients(settings);
  const roa = chooseRoa(settings, logger, metrics);
  const context = createContext(settings, clients, logger, { checkRoute: roa.checkRoute, ...overrides });
  const { index, indexer } = context;
  registerIndexMetrics({ index, truth: overrides.truth ?? clients, sources: allSources(context.sources), metrics });
  const server = createRpcServer({
    name: 'search',
    logger,
    metrics,
    address: settings.listen,
    tls: tlsFiles(settings),
    implementations: [implement(SearchServiceService, searchHandlers(context))],
    allowedCallers: allowedCallers(settings.operators),
  });
  const operations = createOperationsServer({
    address: settings.operations,
    checks: { index: () => index.check() },
    metrics,
    logger,
    onReadiness: server.setServing,
  });
  let address = settings.listen;
  return {
    address: () => address,
    async start() {
      await index.start();
      await roa.start();
      await indexer.start();
      ({ address } = await server.start());
      await operations.start();
    },
    async stop() {
      await operations.stop();
      await server.stop();
      await indexer.stop();
      await roa.stop();
      await index.stop();
      clients.close();
    },
  };
}

function createContext(
  settings: SearchSettings,
  clients: ReturnType<typeof connectClients>,
  logger: Logger,
  overrides: Overrides,
): Context {
  const main = settings.source.toUpperCase();
  const mirrors = settings.grsSources.map((name) => name.toUpperCase()).filter((name) => name !== main);
  const sources = { main, mirrors };
  const index = overrides.index ?? chooseIndex(settings);
  const truth = overrides.truth ?? clients;
  return {
    sources,
    index,
    indexer: createIndexer({ index, truth, sources: allSources(sources), logger }),
    annotators: {
      index,
      describeHolders: overrides.describeHolders ?? holdersFrom(clients.geo),
      checkRoute: overrides.checkRoute ?? (() => []),
      operators: new Set(settings.operatorMaintainers.map((name) => name.toLowerCase())),
    },
  };
}

/** Deadline of single questions to other services. */
const deadlineMs = 5_000;

function connectClients(settings: SearchSettings) {
  const shared = { name: 'search', tls: tlsFiles(settings) };
  const { objectsAddress: address } = settings;
  const reader = connect(ObjectReaderServiceService, { ...shared, address, deadlineMs: Number.POSITIVE_INFINITY });
  const feed = connect(ChangeFeedServiceService, { ...shared, address, deadlineMs: Number.POSITIVE_INFINITY });
  const geo = connect(AbuseContactServiceService, {
    ...shared,
    address: settings.geoAddress,
    deadlineMs,
    idempotent: ['describeHolders'],
  });
  const close = () => {
    for (const client of [reader, feed, geo]) client.close();
  };
  return { reader, feed, geo, close };
}
