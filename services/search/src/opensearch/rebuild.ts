import type { IndexDocument, Position, Rebuild } from '../index-port.js';
import { refresh, writeDocuments } from './bulk-write.js';
import type { Cluster } from './cluster.js';
import { createIndex, deleteIndexes, indexesBehind, switchAlias } from './generations.js';
import type { SourceNames } from './names.js';
import { readPosition, writePosition } from './stored-position.js';

/** The version of a rebuild's documents: each write replaces earlier ones, and every batch replaces them all. */
const belowAll = 0n;

/** Starts a new generation, and deletes the rest of interrupted rebuilds. */
export async function startRebuild(cluster: Cluster, names: SourceNames, shards: number): Promise<Rebuild> {
  await deleteIndexes(cluster, await leftovers(cluster, names));
  const copy = names.newGeneration();
  await createIndex(cluster, copy, names.building, shards);
  let finished = false;
  const add = (documents: readonly IndexDocument[]) =>
    writeDocuments(cluster, copy, { documents, deletions: [] }, belowAll);
  return {
    fill: add,
    add,
    remove: (deletions) => writeDocuments(cluster, copy, { documents: [], deletions }, belowAll),
    finish: async (serial, { back = false, instant } = {}) => {
      if (!back && (await isFurther(cluster, names.alias, serial))) return false;
      await takeOver(cluster, names, copy, { serial, instant });
      finished = true;
      return true;
    },
    abandon: async () => {
      if (!finished) await deleteIndexes(cluster, [copy]);
    },
  };
}

/**
 * Unused indexes: of this mapping version, those that the alias does not point to; of other versions all, once this
 * version has an index in use (until then they may still serve).
 */
async function leftovers(cluster: Cluster, names: SourceNames): Promise<string[]> {
  const inUse = await indexesBehind(cluster, names.alias);
  const all = await indexesBehind(cluster, inUse.length > 0 ? names.everything : names.generations);
  return all.filter((index) => !inUse.includes(index));
}

async function isFurther(cluster: Cluster, alias: string, serial: bigint): Promise<boolean> {
  const inUse = await readPosition(cluster, alias);
  return inUse !== undefined && inUse.serial > serial;
}

async function takeOver(
  cluster: Cluster,
  names: SourceNames,
  copy: string,
  position: Pick<Position, 'serial' | 'instant'>,
): Promise<void> {
  await refresh(cluster, copy);
  await writePosition(cluster, copy, position, await readPosition(cluster, copy));
  await switchAlias(cluster, names, copy);
}
