import type { SearchRequest } from '@cadastre/proto/search';
import { openDatabase, ServiceError } from '@cadastre/service';
import type pg from 'pg';
import type { IndexReads } from '../index-port.js';
import { parseQuery } from '../query/parse-query.js';
import { primaryObjects } from '../run/primary.js';
import { sourceEntryName } from './catalogue.js';
import { createCommonTerms } from './common-terms.js';
import { sessionSettings } from './postgres-index.js';
import { createQueryRunner } from './query-runner.js';
import { createReader } from './reader.js';

/** The criteria of a search. */
export type Criteria = Pick<SearchRequest, 'query' | 'types' | 'inverseAttributes' | 'flags'>;

/** Asks the index directly, for comparisons: the statements of searches without the service around them. */
export interface FirstStatements {
  /**
   * For each search the statement that finds its first page, exactly as the search sends it, provided that the objects that an inverse
   * lookup names exist. Errors: ServiceError 'invalid'; 'not-found' without an index of the source.
   */
  of(searches: readonly Criteria[]): Promise<pg.QueryConfig[]>;
  /** Runs a statement with the session settings of a search; resolves to the number of rows. */
  run(statement: pg.QueryConfig): Promise<number>;
  end(): Promise<void>;
}

interface Options {
  /** URL of a user who may read the tables of the index. */
  readonly url: string;
  /** The schema with these tables. */
  readonly schema: string;
  readonly source: string;
  /** Maximum number of connections. */
  readonly connections: number;
}

/** Connects to the index of a source in PostgreSQL. */
export function connectFirstStatements({ url, schema, source, connections }: Options): FirstStatements {
  const pool = openDatabase(url).createPool({
    max: connections,
    applicationName: 'cadastre search comparison',
    statementTimeoutMs: 0,
    sessionSettings: { ...sessionSettings, search_path: schema },
  });
  const sent: pg.QueryConfig[] = [];
  // Only the statement that tells which tables are in use reaches the database; others are recorded and find nothing.
  const query = async (statement: pg.QueryConfig) => {
    if (statement.name === sourceEntryName) return pool.query(statement);
    sent.push(statement);
    return { rows: [] };
  };
  const client = { query, release() {} };
  const reader = createReader({ query, connect: async () => client } as unknown as pg.Pool);
  const commonTerms = createCommonTerms(createReader(pool));
  const runQueries = createQueryRunner({ reader, commonTerms, connections });
  const index: IndexReads = {
    query: runQueries,
    known: async (ids) => ids.map(() => true),
    load: async () => ({ objects: [], later: [] }),
    nearestWith: async (_source, _type, _attribute, ranges) => ranges.map(() => undefined),
  };
  const statementOf = async (criteria: Criteria) => {
    const request = { ...criteria, sources: [source], includeTags: [], excludeTags: [] };
    const plan = parseQuery(request, { main: source, mirrors: [] });
    if (!plan.ok) throw new ServiceError('invalid', plan.messages);
    const { sources, search } = plan.value;
    await primaryObjects(index, sources[0]!, search, AbortSignal.any([]));
    const [first] = sent.splice(0);
    if (first === undefined) throw new ServiceError('not-found', `There is no index of ${source}`);
    return first;
  };
  return {
    async of(searches) {
      const statements: pg.QueryConfig[] = [];
      for (const criteria of searches) statements.push(await statementOf(criteria));
      return statements;
    },
    run: async (statement) => (await pool.query(statement)).rowCount ?? 0,
    end: () => pool.end(),
  };
}
