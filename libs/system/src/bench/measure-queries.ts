import { ObjectReaderServiceService } from '@cadastre/proto/objects';
import { SearchServiceService } from '@cadastre/proto/search';
import { connect } from '@cadastre/service';
import pg from 'pg';
import type { BenchSettings } from './bench-settings.js';
import { closedLoop, middleOf, type Series, type Work } from './closed-loop.js';
import { openSearchClient } from './opensearch-client.js';
import type { OpenSearchNode } from './opensearch-node.js';
import { type QueryScenario, queryScenarios } from './query-scenarios.js';
import { restClient } from './rest-client.js';
import type { TestedSystem } from './tested-system.js';

const clients = 8;
const timeoutMs = 600_000;
const deadlineMs = 10_000;

/** One kind of query. */
export interface QueryResult {
  /** Storage of the index. */
  readonly adapter: 'postgres' | 'opensearch';
  readonly name: string;
  readonly clients: number;
  /** Over HTTP, through gateway and search service. */
  readonly through: Series;
  /** The same objects by one statement or search, directly from the storage of the index. */
  readonly straight: Series;
}

/** Waits until queries see the newest change of the source. Returns how long that took. */
export async function waitForIndex(system: TestedSystem, source: string): Promise<number> {
  const shared = { name: 'bench', deadlineMs };
  const search = connect(SearchServiceService, { ...shared, address: system.addresses.search });
  const objects = connect(ObjectReaderServiceService, { ...shared, address: system.addresses.objects });
  const start = performance.now();
  try {
    while (performance.now() - start < timeoutMs) {
      const [index, truth] = await Promise.all([search.getIndexStatus({}), objects.listSources({})]);
      const newest = truth.sources.find((one) => one.name === source)?.serial ?? 0n;
      if ((index.sources.find((one) => one.source === source)?.serial ?? -1n) >= newest) {
        return (performance.now() - start) / 1000;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`The index has not seen everything after ${timeoutMs / 1000} seconds`);
  } finally {
    search.close();
    objects.close();
  }
}

/**
 * Queries through the whole system and directly in turn; every other round in reverse order. `node` is set when it
 * holds the index instead of PostgreSQL.
 */
export async function measureQueries(
  system: TestedSystem,
  source: string,
  { rounds, seconds }: BenchSettings,
  say: (line: string) => void,
  node?: OpenSearchNode,
): Promise<QueryResult[]> {
  const adapter = node ? 'opensearch' : 'postgres';
  const rest = await restClient(system, clients);
  const pool = new pg.Pool({ connectionString: system.databaseUrl, max: clients });
  const openSearch = node && openSearchClient(node.url, source, clients);
  const ask =
    (scenario: QueryScenario): Work =>
    async (n) => {
      const { status, body } = await rest.get(scenario.path(n));
      if (status !== 200) throw new Error(`${scenario.path(n)} returned status ${status}: ${body}`);
      return 1;
    };
  const select =
    (scenario: QueryScenario): Work =>
    async (n) => {
      if (openSearch) {
        const { hits } = await openSearch.ask<{ hits: { hits: unknown[] } }>('_search', scenario.body(n));
        if (hits.hits.length === 0) throw new Error(`${scenario.name} number ${n} found nothing`);
        return 1;
      }
      const { rowCount } = await pool.query(scenario.statement, scenario.values(n));
      if (rowCount === 0) throw new Error(`${scenario.name} number ${n} found nothing`);
      return 1;
    };
  try {
    const measured = (await queryScenarios(pool, source)).map((scenario) => ({
      name: scenario.name,
      sides: [
        { work: ask(scenario), rounds: [] as Series[] },
        { work: select(scenario), rounds: [] as Series[] },
      ],
    }));
    for (let round = 0; round < rounds; round += 1) {
      say(`Queries with ${adapter}, round ${round + 1} of ${rounds}`);
      for (const { sides } of measured) {
        for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
          side.rounds.push(await closedLoop(node ? [system.pid, node.pid] : system.pid, clients, seconds, side.work));
        }
      }
    }
    return measured.map(({ name, sides }) => {
      const [through, straight] = sides.map((side) => middleOf(side.rounds)) as [Series, Series];
      return { adapter, name, clients, through, straight };
    });
  } finally {
    rest.close();
    openSearch?.close();
    await pool.end();
  }
}
