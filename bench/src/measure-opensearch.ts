import type { RegistryPlan } from '@cadastre/synthetic';
import { serialOf } from '@cadastre/system';
import { assemble } from '../../scripts/opensearch/assemble.mjs';
import { missingPrograms, startServer } from '../../scripts/opensearch/server.mjs';
import { type ContestResult, runContests } from './contests.ts';
import { searchContestsAlone } from './full-contests.ts';
import type { LoadThread } from './load-thread.ts';
import { serverOf } from './sides.ts';
import type { TestedSystem } from './tested-system.ts';

const maxIndexingMs = 3_600_000;

/** Measurements of search with its index in OpenSearch. */
export interface OpenSearchResult {
  /** From the restart of the system until searches see all objects. */
  readonly indexSeconds: number;
  readonly searches: readonly ContestResult<'system'>[];
}

interface Options {
  readonly rounds: number;
  readonly seconds: number;
  readonly say: (line: string) => void;
}

/**
 * Restarts the system with the same data and a search service whose index is in a new OpenSearch node. Undefined where
 * a program is missing.
 */
export async function measureOpenSearch(
  system: TestedSystem,
  thread: LoadThread,
  plan: RegistryPlan,
  options: Options,
): Promise<OpenSearchResult | undefined> {
  const missing = missingPrograms();
  if (missing.length > 0) {
    options.say(`OPENSEARCH IS NOT MEASURED, for lack of ${missing.join(', ')}`);
    return undefined;
  }
  options.say('Starting OpenSearch and the system again with it');
  const node = await startServer(await assemble());
  try {
    const start = performance.now();
    const again = await system.restart({
      CADASTRE_SEARCH_ADAPTER: 'opensearch',
      CADASTRE_SEARCH_OPENSEARCH_URL: node.url,
    });
    await again.untilSearchable(plan.source, await serialOf(again.addresses.objects, plan.source), maxIndexingMs);
    const indexSeconds = (performance.now() - start) / 1000;
    const server = { ...(await serverOf(again)), roots: [again.pid, node.pid()] };
    const contests = searchContestsAlone({ plan, server, thread });
    const searches = await runContests(contests, { ...options, what: 'Searches with OpenSearch' });
    await again.stop();
    return { indexSeconds, searches };
  } finally {
    await node.stop();
  }
}
