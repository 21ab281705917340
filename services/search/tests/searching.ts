import {
  type FoundObject,
  type SearchRequest,
  type SearchResponse,
  SearchServiceService,
} from '@cadastre/proto/search';
import { inMemoryClient, testDatabase, testLogger } from '@cadastre/service/testing';
import type { Annotators } from '../src/annotations/annotate.js';
import type { SearchIndex } from '../src/index-port.js';
import { createIndexer } from '../src/indexer/indexer.js';
import { createPostgresIndex } from '../src/postgres/postgres-index.js';
import { searchHandlers } from '../src/rpc/index.js';
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
};

/** The search service's methods over a real index and a registry in memory. */
export interface Searching {
  readonly registry: Registry;
  readonly index: SearchIndex;
  readonly client: ReturnType<typeof inMemoryClient<typeof SearchServiceService>>;
  responses(request: Partial<SearchRequest>): Promise<SearchResponse[]>;
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

/** Starts with the objects; answers when the index has them all. */
export async function startSearching(
  objects: readonly string[] = [],
  annotators: Partial<Annotators> = {},
): Promise<Searching> {
  const database = await testDatabase(new URL('../migrations/', import.meta.url));
  const index = createPostgresIndex({ url: database.url, connections: 4, statementTimeoutMs: 10_000 });
  const registry = createRegistry(['TEST', 'OTHER-GRS']);
  for (const text of objects) registry.put(text);
  const { truth } = registry;
  const backOff = { firstMs: 5, longestMs: 20 };
  const indexer = createIndexer({ index, truth, sources: ['TEST', 'OTHER-GRS'], logger: testLogger(), backOff });
  const handlers = searchHandlers({
    sources: { main: 'TEST', mirrors: ['OTHER-GRS'] },
    index,
    indexer,
    annotators: { index, describeHolders: async () => [], checkRoute: () => [], operators: new Set(), ...annotators },
  });
  const client = inMemoryClient(SearchServiceService, handlers);
  await index.start();
  await indexer.start();
  const signal = AbortSignal.timeout(20_000);
  await indexer.reached('TEST', BigInt(objects.length), signal);
  await indexer.reached('OTHER-GRS', 0n, signal);
  const responses = (request: Partial<SearchRequest>) =>
    collect(client.search({ ...noRequest, ...request }, { deadlineMs: 20_000 }));
  const found = async (request: Partial<SearchRequest>) => (await responses(request)).flatMap((one) => one.objects);
  return {
    registry,
    index,
    client,
    responses,
    objects: found,
    keys: async (request) => (await found(request)).map((one) => one.object!.key),
    stop: async () => {
      await indexer.stop();
      await index.stop();
      await database.drop();
    },
  };
}
