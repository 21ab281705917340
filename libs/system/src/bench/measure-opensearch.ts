import type { BenchSettings } from './bench-settings.js';
import { measureQueries, type QueryResult, waitForIndex } from './measure-queries.js';
import { openSearchClient } from './opensearch-client.js';
import { startOpenSearch } from './opensearch-node.js';
import type { TestedSystem } from './tested-system.js';

/** Measurements of search with its index in OpenSearch. */
export interface OpenSearchResult {
  readonly indexedObjects: number;
  /** From the creation of the index until searches see everything. */
  readonly indexSeconds: number;
  readonly searches: readonly QueryResult[];
}

/** Restarts the system with the same data and a search service whose index is in a new OpenSearch node. */
export async function measureOpenSearch(
  system: TestedSystem,
  source: string,
  settings: BenchSettings,
  say: (line: string) => void,
): Promise<OpenSearchResult> {
  say('Starting OpenSearch and the system again with it');
  const node = await startOpenSearch();
  try {
    const again = await system.restart({
      CADASTRE_SEARCH_ADAPTER: 'opensearch',
      CADASTRE_SEARCH_OPENSEARCH_URL: node.url,
    });
    try {
      const index = await measureIndexing(again, source, node.url);
      return { ...index, searches: await measureQueries(again, source, settings, say, node) };
    } finally {
      await again.end();
    }
  } finally {
    await node.stop();
  }
}

async function measureIndexing(system: TestedSystem, source: string, url: string) {
  await waitForIndex(system, source);
  const end = Date.now();
  const client = openSearchClient(url, source, 1);
  try {
    const { count } = await client.ask<{ count: number }>('_count', { query: { exists: { field: 'type' } } });
    return { indexedObjects: count, indexSeconds: (end - (await client.createdAt())) / 1000 };
  } finally {
    client.close();
  }
}
