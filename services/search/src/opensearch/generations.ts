import { createHash, randomBytes } from 'node:crypto';
import { ServiceError } from '@cadastre/service';
import type { TypedKey } from '../index-port.js';
import { type Cluster, unavailable } from './cluster.js';
import { type IndexLayout, indexDefinition, mappingVersion } from './stored-document.js';

/**
 * Names of a source's indexes. No source name holds a dot, so no two sources share a name:
 * "<prefix>.v<mapping version>.<source>" is the alias that queries use, ".building" behind it the one of a rebuild,
 * ".g-<time>-<random>" an index (a generation).
 */
export type SourceNames = ReturnType<typeof sourceNames>;

/** Throws ServiceError 'invalid' for an impossible source name. */
export function sourceNames(prefix: string, source: string) {
  const name = source.toLowerCase();
  if (!/^[a-z0-9_-]{1,100}$/.test(name)) throw new ServiceError('invalid', 'Invalid source name');
  const alias = `${aliasPrefix(prefix)}${name}`;
  return {
    alias,
    building: `${alias}.building`,
    /** Pattern of all generations of this mapping version. */
    generations: `${alias}.g-*`,
    /** Pattern of all generations of any mapping version. */
    everything: `${prefix}.v*.${name}.g-*`,
    /** The generation that the first batch creates: a fixed name, so that two writers create one index. */
    first: `${alias}.g-first`,
    newGeneration: (): string => `${alias}.g-${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`,
  };
}

/** The prefix of the aliases of all sources. */
export function aliasPrefix(prefix: string): string {
  return `${prefix}.v${mappingVersion}.`;
}

const maxIdBytes = 512;

/** The identifier of an object's document; OpenSearch allows 512 bytes, so a longer key becomes its digest. */
export function documentId({ type, key }: TypedKey): string {
  const plain = `${type}/${key}`;
  if (Buffer.byteLength(plain) <= maxIdBytes) return plain;
  return `${type}#${createHash('sha256').update(key).digest('hex')}`;
}

/** The index behind the alias; creates it if there is none. */
export async function ensureIndex(cluster: Cluster, names: SourceNames, layout: IndexLayout): Promise<string> {
  const existing = await indexesBehind(cluster, names.alias);
  if (existing.length > 0) return existing[0]!;
  await createIndex(cluster, names.first, names.alias, layout);
  return names.first;
}

/**
 * Creates an index with the current mapping and one alias; resolves when it accepts documents. It may exist already:
 * another writer was faster, or a node created it and was lost before it responded.
 */
export async function createIndex(cluster: Cluster, index: string, alias: string, layout: IndexLayout): Promise<void> {
  const body = { ...indexDefinition(layout), aliases: { [alias]: {} } };
  try {
    await cluster.write({ method: 'PUT', path: `/${index}`, body });
  } catch (error) {
    if (!(error instanceof ServiceError && error.kind === 'conflict')) throw error;
  }
}

/** The indexes behind an alias or pattern. */
export async function indexesBehind(cluster: Cluster, name: string): Promise<string[]> {
  const answer = await cluster.read<Record<string, unknown>>({ method: 'GET', path: `/${name}/_alias` });
  return Object.keys(answer ?? {});
}

export async function deleteIndexes(cluster: Cluster, indexes: readonly string[]): Promise<void> {
  for (const index of indexes) await cluster.write({ method: 'DELETE', path: `/${index}` });
}

/**
 * Points the alias to the copy and deletes the old index, in one step. Errors: ServiceError 'conflict' when the copy is
 * no longer the one under construction.
 */
export async function switchAlias(cluster: Cluster, names: SourceNames, copy: string): Promise<void> {
  const previous = await indexesBehind(cluster, names.alias);
  if (!(await indexesBehind(cluster, names.building)).includes(copy)) {
    throw new ServiceError('conflict', 'Another rebuild of the source has discarded this one');
  }
  const actions = [
    { remove: { index: copy, alias: names.building, must_exist: true } },
    { add: { index: copy, alias: names.alias } },
    ...previous.map((index) => ({ remove_index: { index } })),
  ];
  const answer = await cluster.write({ method: 'POST', path: '/_aliases', body: { actions } });
  // A node may have switched, and was lost before it responded.
  if (!answer && !(await indexesBehind(cluster, names.alias)).includes(copy)) throw unavailable('an index is gone');
}
