import {
  type FoundObject,
  type SearchRequest,
  type SearchResponse,
  SearchServiceService,
} from '@cadastre/proto/search';
import { type HolderPolicy, holderPolicy } from '@cadastre/rpsl';
import { createAnswerMemory, createMetrics, createTurns, type Metrics } from '@cadastre/service';
import { inMemoryClient, testLogger } from '@cadastre/service/testing';
import type { Context } from '../src/context.js';
import { createEmbeddedIndex } from '../src/embedded/embedded-index.js';
import type { SearchIndex } from '../src/index-port.js';
import { createIndexer, type Indexer } from '../src/indexer/indexer.js';
import { firstPageMetrics } from '../src/metrics.js';
import { currentIndex } from '../src/resources/current-index.js';
import { lineagesInIndex } from '../src/resources/lineages-in-index.js';
import { searchHandlers } from '../src/rpc/index.js';
import { createLargePages } from '../src/run/large-pages.js';
import { indexDirectory } from './index-directory.js';
import { createRegistry, type Registry } from './registry.js';

export const noRequest: SearchRequest = {
  query: '',
  sources: [],
  types: [],
  inverseAttributes: [],
  flags: [],
  includeTags: [],
  excludeTags: [],
  annotations: undefined,
  limit: undefined,
  offset: 0,
  minSerial: 0n,
  client: '',
  cursor: Buffer.alloc(0),
};

/** The search service over a real index and an in-memory registry. */
export interface Searching {
  readonly registry: Registry;
  readonly index: SearchIndex;
  readonly indexer: Indexer;
  readonly client: ReturnType<typeof inMemoryClient<typeof SearchServiceService>>;
  responses(request: Partial<SearchRequest>): Promise<SearchResponse[]>;
  readonly metrics: Metrics;
  /** The objects of a result. */
  objects(request: Partial<SearchRequest>): Promise<FoundObject[]>;
  /** The keys of a result, in order. */
  keys(request: Partial<SearchRequest>): Promise<string[]>;
  stop(): Promise<void>;
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const unasked = () => Promise.reject(new Error('nobody asks the objects service'));
const noPolicy: HolderPolicy = holderPolicy({ source: 'TEST', operatorMaintainers: [], suspectMailboxes: [] });

/** Starts with these objects; resolves when the index has all of them. */
export async function startSearching(
  objects: readonly string[] = [],
  annotators: Partial<Context['annotators']> = {},
  readPast: Partial<Context['readPast']> = {},
  policy?: HolderPolicy,
): Promise<Searching> {
  const directory = await indexDirectory();
  const index = createEmbeddedIndex({ directory: directory.path, logger: testLogger() });
  const registry = createRegistry(['TEST', 'OTHER-GRS']);
  for (const text of objects) registry.put(text);
  const { backend } = registry;
  const pauses = { firstMs: 5, maxMs: 20 };
  const sources = ['TEST', 'OTHER-GRS'];
  const indexer = createIndexer({ index, backend, sources, logger: testLogger(), pauses });
  const metrics = createMetrics('search');
  const turns = createTurns(4);
  const isCurrent = currentIndex(index, indexer.isFollowing, 'TEST');
  const handlers = searchHandlers({
    sources: { main: 'TEST', mirrors: ['OTHER-GRS'] },
    index,
    indexer,
    registry: {
      objects: { batchFindEnclosing: unasked, batchLookup: unasked },
      policy: policy ?? noPolicy,
      findLineages: policy && lineagesInIndex(index.readState!, isCurrent, turns, 'TEST'),
    },
    turns,
    largePages: createLargePages(createTurns(3, 1)),
    untakenPages: createAnswerMemory(),
    readPast: { batchFindEnclosing: unasked, findPast: unasked, batchLookupPast: unasked, ...readPast },
    annotators: { describeHolders: async () => [], checkRoute: () => [], operators: new Set(), ...annotators },
    validateRoute: () => undefined,
    findConflict: () => undefined,
    showRoute: () => 'plain',
    routePolicy: () => 'show',
    countFirstPage: firstPageMetrics(metrics),
  });
  const client = inMemoryClient(SearchServiceService, handlers);
  await index.start();
  await indexer.start();
  const signal = AbortSignal.timeout(170_000);
  await indexer.reached('TEST', BigInt(objects.length), signal);
  await indexer.reached('OTHER-GRS', 0n, signal);
  const responses = (request: Partial<SearchRequest>) =>
    collect(client.search({ ...noRequest, ...request }, { deadlineMs: 170_000 }));
  const found = async (request: Partial<SearchRequest>) => (await responses(request)).flatMap((one) => one.objects);
  return {
    registry,
    index,
    indexer,
    client,
    metrics,
    responses,
    objects: found,
    keys: async (request) => (await found(request)).map((one) => one.object!.key),
    stop: async () => {
      await indexer.stop();
      await index.stop();
      await directory.remove();
    },
  };
}
