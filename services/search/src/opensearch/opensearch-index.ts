import {
  type IndexedObject,
  type Loaded,
  type Matches,
  neededBy,
  type ObjectId,
  type SearchIndex,
  type TypeQuery,
} from '../index-port.js';
import { applyBatch } from './batches.js';
import { byKey, ofType, startingAt, withHost } from './clauses.js';
import { type Cluster, type ClusterOptions, connectCluster, localCopy, searchIn, unavailable } from './cluster.js';
import { filterList } from './filter-list.js';
import { aliasPrefix, sourceNames } from './generations.js';
import { readCovering, readHierarchy, readNearestWith } from './hierarchy.js';
import { knownObjects, loadObjects } from './load-documents.js';
import { countNames, searchNames, suggest } from './name-search.js';
import { startRebuild } from './rebuild.js';
import { createNamedQueues, createRebuildGuard } from './rebuild-guard.js';
import { type Reader, readPages } from './search-hits.js';
import { holdings, spansInside } from './spans.js';
import type { IndexLayout } from './stored-document.js';
import { readPosition, readState } from './stored-state.js';
import { countByType, readTerms, type TermQuery } from './terms.js';
import { searchWords } from './word-search.js';

export interface OpenSearchOptions extends ClusterOptions {
  /** Prefix of all index names, so that registries can share a cluster; default "cadastre". */
  readonly prefix?: string;
  /** Of each source's index; default: one shard with one replica. A change takes effect with the next rebuild. */
  readonly layout?: IndexLayout;
  /**
   * A process that has stored no progress of its rebuild for this long, in milliseconds, counts as dead: another one
   * may continue the rebuild. Default 30 s.
   */
  readonly leaseMs?: number;
}

/**
 * The index port on an OpenSearch cluster (2.x). This process applies batches and switches of rebuilds one at a time.
 * Between processes, a batch that meets a switch fails with 'conflict' or 'unavailable', or is stored in the index that
 * the switch deletes; the position then shows what to apply again.
 */
export function createOpenSearchIndex(options: OpenSearchOptions): SearchIndex {
  const { prefix = 'cadastre', layout = { shards: 1, replicas: 1 }, leaseMs = 30_000 } = options;
  const cluster = connectCluster(options);
  const names = (source: string) => sourceNames(prefix, source);
  const inTurn = createNamedQueues();
  const rebuildAlone = createRebuildGuard(inTurn);
  /** What is read, with the position of the index before; undefined without an index. */
  async function readAt<T>(source: string, signal: AbortSignal, read: (reader: Reader) => Promise<T>) {
    const reader = { cluster, source, alias: names(source).alias, signal };
    const position = await readPosition(cluster, reader.alias, signal);
    return position && { serial: position.serial, ...(await read(reader)) };
  }
  return {
    start: () => check(cluster, prefix),
    stop: () => cluster.close(),
    check: () => check(cluster, prefix),
    async position(source) {
      const stored = await readPosition(cluster, names(source).alias);
      return stored && { serial: stored.serial, reached: stored.reached, instant: stored.instant };
    },
    apply: (source, batch) => inTurn(source, () => applyBatch(cluster, names(source), layout, batch)),
    query: (source, queries, signal) => readAt(source, signal, async (reader) => ({ pages: readAll(reader, queries) })),
    countByType: (source, queries, signal) =>
      readAt(source, signal, async (reader) => ({ counts: await countByType(reader, queries), isPartial: false })),
    filter: (source, queries, filter, signal) =>
      readAt(source, signal, (reader) => filterList(reader, queries, filter)),
    searchWords: (source, query, signal) => readAt(source, signal, (reader) => searchWords(reader, query)),
    searchNames: (source, query, signal) => readAt(source, signal, (reader) => searchNames(reader, query)),
    countNames: (source, named, signal) => countNames({ cluster, alias: names(source).alias, signal }, named),
    suggest: (source, beginning, signal) =>
      readAt(source, signal, async (reader) => ({ pages: suggest(reader, beginning) })),
    spansInside: (source, query, signal) =>
      readAt(source, signal, async (reader) => ({ spans: await spansInside(reader, query) })),
    holdings: (source, query, signal) =>
      readAt(source, signal, async (reader) => ({
        keys: await Promise.all(query.types.map((type) => holdings(reader, type, query))),
      })),
    nearestWith: (source, type, attribute, ranges) =>
      readNearestWith({ cluster, source, alias: names(source).alias }, type, attribute, ranges),
    load: (ids) => load(cluster, names, ids),
    known: (ids) => known(cluster, names, ids),
    beginRebuild: (source, newest, options) =>
      rebuildAlone(source, () => startRebuild({ cluster, names: names(source), layout, leaseMs }, newest, options)),
    rebuildState: (source) => readState(cluster, names(source)),
    count: (source) => count(cluster, names(source).alias),
  };
}

/** In the order of the queries; adjacent ones by terms run together. */
async function* readAll(reader: Reader, queries: readonly TypeQuery[]): Matches['pages'] {
  const needed = neededBy(queries);
  if (needed !== undefined && !(await knownObjects(reader, needed)).includes(true)) return;
  let terms: TermQuery[] = [];
  for (const query of queries) {
    if (query.kind === 'terms') {
      terms.push(query);
    } else {
      yield* readTerms(reader, terms);
      terms = [];
      yield* read(reader, query);
    }
  }
  yield* readTerms(reader, terms);
}

function read(reader: Reader, query: Exclude<TypeQuery, TermQuery>): AsyncIterable<readonly IndexedObject[]> {
  switch (query.kind) {
    case 'hosts':
      return readPages(reader, {
        filter: [ofType(query.type), withHost(query.prefix), ...startingAt(query)],
        order: byKey,
      });
    case 'range':
      return readHierarchy(reader, query);
    case 'covering':
      return readCovering(reader, query);
  }
}

type NamesOf = (source: string) => { alias: string };

/** The first of these objects; ids of one source must be adjacent. */
async function load(cluster: Cluster, names: NamesOf, ids: readonly ObjectId[]): Promise<Loaded> {
  const [first] = ids;
  if (first === undefined) return { objects: [], later: [] };
  const { source } = first;
  const end = ids.findIndex((id) => id.source !== source);
  const requested = end === -1 ? ids : ids.slice(0, end);
  const { objects, count } = await loadObjects({ cluster, source, alias: names(source).alias }, requested);
  return { objects, later: ids.slice(count) };
}

async function known(cluster: Cluster, names: NamesOf, ids: readonly ObjectId[]): Promise<boolean[]> {
  const found = new Set<ObjectId>();
  for (const [source, wanted] of Map.groupBy(ids, (id) => id.source)) {
    const isKnown = await knownObjects({ cluster, source, alias: names(source).alias }, wanted);
    wanted.forEach((id, at) => {
      if (isKnown[at]) found.add(id);
    });
  }
  return ids.map((id) => found.has(id));
}

async function count(cluster: Cluster, alias: string): Promise<bigint> {
  const body = { query: { exists: { field: 'type' } } };
  const answer = await cluster.read<{ count: number }>({
    method: 'POST',
    path: `/${alias}/_count`,
    query: localCopy,
    body,
  });
  return BigInt(answer?.count ?? 0);
}

/**
 * Sends an empty search to every index: fails when one of them cannot respond. One search of all would more often reach
 * a node that hangs.
 */
async function check(cluster: Cluster, prefix: string): Promise<void> {
  const path = `/${aliasPrefix(prefix)}*/_alias`;
  const indexes = await cluster.read<object>({ method: 'GET', path, query: { local: true } });
  if (!indexes) throw unavailable('there is no such cluster');
  const search = (alias: string) => searchIn({ cluster, alias }, { size: 0, track_total_hits: false });
  await Promise.all(Object.keys(indexes).map(search));
}
