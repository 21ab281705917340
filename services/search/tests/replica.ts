import { SearchServiceService } from '@cadastre/proto/search';
import { connect, type RpcClient, readSettings, reservePort } from '@cadastre/service';
import { testLogger } from '@cadastre/service/testing';
import type { SearchIndex } from '../src/index-port.js';
import { createSearchService } from '../src/service.js';
import { searchSettings } from '../src/settings.js';
import type { Registry } from './registry.js';

/** A replica of the service, with its public interfaces. */
export interface Replica {
  readonly client: RpcClient<typeof SearchServiceService>;
  /** Status and text of /ready. */
  ready(): Promise<string>;
  /** The value of a metric for each source. */
  metric(name: string): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

/** Starts a replica for the sources TEST and OTHER-GRS of a registry. */
export async function startReplicaOf(
  { backend }: Registry,
  store: Record<string, string>,
  index?: SearchIndex,
): Promise<Replica> {
  const operations = `127.0.0.1:${await reservePort()}`;
  const settings = readSettings(searchSettings, {
    CADASTRE_LISTEN: '127.0.0.1:0',
    CADASTRE_OBJECTS_ADDRESS: '127.0.0.1:9',
    CADASTRE_GEO_ADDRESS: '127.0.0.1:9',
    CADASTRE_OPERATIONS: operations,
    CADASTRE_GRS_SOURCES: 'other-grs',
    ...store,
  });
  const service = await createSearchService(settings, { logger: testLogger(), backend, ...(index ? { index } : {}) });
  await service.start();
  const client = connect(SearchServiceService, { address: service.address(), deadlineMs: 60_000 });
  const ask = (path: string) => fetch(`http://${operations}${path}`);
  return {
    client,
    ready: async () => {
      const response = await ask('/ready');
      return `${response.status} ${(await response.text()).trim()}`;
    },
    metric: async (name) => {
      const lines = (await (await ask('/metrics')).text()).split('\n').filter((line) => line.startsWith(`${name}{`));
      return Object.fromEntries(
        lines.map((line) => [/source="([^"]*)"/.exec(line)?.[1], Number(line.split(' ').at(-1))]),
      );
    },
    stop: async () => {
      client.close();
      await service.stop();
    },
  };
}
