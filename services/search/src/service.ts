import { ChangeFeedServiceService, HierarchyServiceService, ObjectReaderServiceService } from '@cadastre/proto/objects';
import { readSourceAliases } from '@cadastre/query';
import { chooseRoa, chooseRoutePolicy, type RoaPayloads, routeShowing } from '@cadastre/roa';
import { holderPolicy, nonAuthoritativeName } from '@cadastre/rpsl';
import {
  createAnswerMemory,
  createRpcService,
  createTurns,
  defineProgram,
  type Logger,
  type Metrics,
  type MutualTls,
  onceAvailable,
  openPeer,
  type Service,
  serviceBasis,
} from '@cadastre/service';
import { type DescribeHolders, holdersInObjects } from './annotations/holders.js';
import { chooseIndex } from './choose-index.js';
import { completenessCheck } from './completeness.js';
import { allSources, type Context } from './context.js';
import type { SearchIndex } from './index-port.js';
import { createIndexer } from './indexer/indexer.js';
import type { ObjectsBackend } from './indexer/objects-backend.js';
import { firstPageMetrics, registerIndexMetrics } from './metrics.js';
import { currentIndex } from './resources/current-index.js';
import { lineagesInIndex } from './resources/lineages-in-index.js';
import type { ObjectsClient } from './resources/references.js';
import { allowedCallers, implementations } from './rpc/index.js';
import { createLargePages } from './run/large-pages.js';
import type { ReadPast } from './run/past.js';
import { type SearchSettings, searchSettings } from './settings.js';

/** Maximum number of concurrent large pages. */
const maxLargePages = 3;

/** Maximum characters of the pages of streams that their readers have not read. */
const untakenBounds = { maxBytes: 64 * 1024 * 1024, maxBytesPerClient: 8 * 1024 * 1024 };

/** An index may become complete at any time; the next replica of an update waits for that. */
const checkIntervalMs = 2_000;

/** Replacements of other processes in tests. */
export interface Overrides {
  readonly logger?: Logger;
  readonly index?: SearchIndex;
  readonly backend?: ObjectsBackend;
  readonly readPast?: ReadPast;
  readonly objects?: ObjectsClient;
  readonly describeHolders?: DescribeHolders;
}

/** Makes the search service; `address` is known after `start`. Errors: SettingsError when the adapter lacks a setting. */
export async function createSearchService(
  settings: SearchSettings,
  overrides: Overrides = {},
): Promise<Service & { address(): string }> {
  const basis = serviceBasis('search', settings, overrides.logger);
  const { logger, metrics, tls } = basis;
  const clients = connectClients(settings, { tls, metrics });
  const roa = chooseRoa(settings, { service: 'search', logger, metrics });
  const context = await createContext(settings, clients, logger, metrics, roa, overrides);
  const { index, indexer } = context;
  const sources = allSources(context.sources);
  registerIndexMetrics({ index, indexer, sources, metrics });
  return createRpcService({
    ...basis,
    implementations: implementations(context),
    allowedCallers,
    checks: { index: () => index.check(), complete: completenessCheck({ index, indexer, sources }) },
    checkIntervalMs,
    prepare: async () => {
      await onceAvailable(() => index.start(), { logger });
      await roa.start();
      await indexer.start();
    },
    release: async () => {
      await indexer.stop();
      await roa.stop();
      await index.stop();
      clients.close();
    },
  });
}

async function createContext(
  settings: SearchSettings,
  clients: ReturnType<typeof connectClients>,
  logger: Logger,
  metrics: Metrics,
  roa: RoaPayloads,
  overrides: Overrides,
): Promise<Context> {
  const main = settings.source.toUpperCase();
  const mirrors = settings.grsSources.map((name) => name.toUpperCase()).filter((name) => name !== main);
  const sources = { main, mirrors, aliases: readSourceAliases(settings.sourceAliases, { main, mirrors }) };
  const routePolicy = chooseRoutePolicy(settings, main, [main, nonAuthoritativeName(main), ...mirrors]);
  const index = overrides.index ?? (await chooseIndex(settings, logger));
  const backend = overrides.backend ?? clients;
  const reads = settings.concurrentReads;
  const turns = createTurns(reads);
  const indexer = createIndexer({ index, backend, sources: allSources(sources), logger });
  const isCurrent = currentIndex(index, indexer.isFollowing, main);
  const registry = {
    objects: overrides.objects ?? clients.registry,
    policy: holderPolicy(settings),
    findLineages: index.readState && lineagesInIndex(index.readState, isCurrent, turns, main),
  };
  return {
    sources,
    index,
    indexer,
    registry,
    readPast: overrides.readPast ?? clients.past,
    turns,
    // Each may have one read, and one is left for small searches.
    largePages: createLargePages(createTurns(Math.min(maxLargePages, reads - 1), 1)),
    untakenPages: createAnswerMemory(untakenBounds),
    annotators: {
      describeHolders: overrides.describeHolders ?? holdersInObjects(registry),
      checkRoute: roa.checkRoute,
      operators: registry.policy.operatorMaintainers,
    },
    validateRoute: roa.validateRoute,
    findConflict: roa.findConflict,
    showRoute: routeShowing(routePolicy, roa),
    routePolicy,
    countFirstPage: firstPageMetrics(metrics),
  };
}

/** Deadline of unary calls of the objects service; of batches of resources. */
const deadlineMs = 5_000;
const batchDeadlineMs = 10_000;

function connectClients(settings: SearchSettings, around: { tls: MutualTls | undefined; metrics: Metrics }) {
  const objects = openPeer({ ...around, address: settings.objectsAddress });
  const objectsClient = (options: { deadlineMs: number }) => ({
    ...objects.client(HierarchyServiceService, options),
    ...objects.client(ObjectReaderServiceService, options),
  });
  const endless = { deadlineMs: Number.POSITIVE_INFINITY };
  return {
    reader: objects.client(ObjectReaderServiceService, endless),
    feed: objects.client(ChangeFeedServiceService, endless),
    past: objectsClient({ deadlineMs }),
    registry: objectsClient({ deadlineMs: batchDeadlineMs }),
    close: objects.close,
  };
}

/** The service as a program. */
export const program = defineProgram('search', searchSettings, (settings, logger) =>
  createSearchService(settings, { logger }),
);
