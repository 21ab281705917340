import type { IndexedObject, ObjectId, SearchIndex, TypeQuery } from '../index-port.js';
import { applyBatch } from './apply-batch.js';
import { byAddress, byKey, ofType, withHost, withTerms } from './clauses.js';
import { type Cluster, type ClusterOptions, connectCluster, unavailable } from './cluster.js';
import { readCovering, readHierarchy } from './hierarchy.js';
import { createTurns } from './in-turn.js';
import { loadDocuments } from './load-documents.js';
import { aliasPrefix, documentId, sourceNames } from './names.js';
import { type Reader, readPages } from './pages.js';
import { startRebuild } from './rebuild.js';
import { createRebuildGuard } from './rebuild-guard.js';
import { toIndexed } from './stored-document.js';
import { readPosition } from './stored-position.js';

export interface OpenSearchOptions extends ClusterOptions {
  /** What the names of all indexes begin with, so that registries can share a cluster; "cadastre" unless told. */
  readonly prefix?: string;
  /** Shards of each source's index; 1 unless told. A change takes effect with the next rebuild. */
  readonly shards?: number;
}

/**
 * The index port on an OpenSearch cluster (2.x). Batches and the switch of a rebuild are one after the other within
 * this process. Between processes a batch that meets a switch fails with 'conflict' or 'unavailable', or is stored in
 * the index that is going away; the position then says what to apply again.
 */
export function createOpenSearchIndex(options: OpenSearchOptions): SearchIndex {
  const { prefix = 'cadastre', shards = 1 } = options;
  const cluster = connectCluster(options);
  const names = (source: string) => sourceNames(prefix, source);
  const inTurn = createTurns();
  const rebuildAlone = createRebuildGuard(inTurn);
  return {
    start: () => check(cluster, prefix),
    stop: () => cluster.close(),
    check: () => check(cluster, prefix),
    async position(source) {
      const stored = await readPosition(cluster, names(source).alias);
      return stored && { serial: stored.serial, reached: stored.reached };
    },
    apply: (source, batch) => inTurn(source, () => applyBatch(cluster, names(source), shards, batch)),
    query: (source, query, signal) => read({ cluster, source, alias: names(source).alias, signal }, query),
    load: (ids) => load(cluster, names, ids),
    beginRebuild: (source) => rebuildAlone(source, () => startRebuild(cluster, names(source), shards)),
    count: (source) => count(cluster, names(source).alias),
  };
}

function read(reader: Reader, query: TypeQuery): AsyncIterable<readonly IndexedObject[]> {
  switch (query.kind) {
    case 'terms': {
      const order = query.order === 'key' ? byKey : byAddress;
      return readPages(reader, { filter: [ofType(query.type), withTerms(query)], order });
    }
    case 'hosts':
      return readPages(reader, { filter: [ofType(query.type), withHost(query)], order: byKey });
    case 'range':
      return readHierarchy(reader, query);
    case 'covering':
      return readCovering(reader, query);
  }
}

async function load(
  cluster: Cluster,
  names: (source: string) => { alias: string },
  ids: readonly ObjectId[],
): Promise<(IndexedObject | undefined)[]> {
  const loaded = new Map<ObjectId, IndexedObject>();
  for (const [source, wanted] of Map.groupBy(ids, (id) => id.source)) {
    const documents = await loadDocuments(cluster, names(source).alias, wanted.map(documentId));
    wanted.forEach((id, i) => {
      const document = documents[i];
      if (document) loaded.set(id, toIndexed(source, document));
    });
  }
  return ids.map((id) => loaded.get(id));
}

async function count(cluster: Cluster, alias: string): Promise<bigint> {
  const body = { query: { exists: { field: 'type' } } };
  const answer = await cluster.send<{ count: number }>({ method: 'POST', path: `/${alias}/_count`, body });
  return BigInt(answer?.count ?? 0);
}

/** Asks every index for nothing: fails when one of them cannot answer. */
async function check(cluster: Cluster, prefix: string): Promise<void> {
  const answer = await cluster.send({
    method: 'POST',
    path: `/${aliasPrefix(prefix)}*/_search`,
    query: { allow_partial_search_results: false },
    body: { size: 0, track_total_hits: false },
  });
  if (!answer) throw unavailable('there is no such cluster');
}
