import type { SearchIndex } from './index-port.js';
import type { Indexer } from './indexer/indexer.js';

interface Options {
  readonly index: Pick<SearchIndex, 'position'>;
  readonly indexer: Pick<Indexer, 'newest'>;
  readonly sources: readonly string[];
}

/**
 * A check that the index of every source has been complete in this process: it had every change that the registry had
 * when the check first ran. While the objects service is unavailable, any index passes. A source that was once complete
 * is not checked again: a replica that falls behind later is still useful. The check throws an Error that names the
 * sources.
 */
export function completenessCheck({ index, indexer, sources }: Options): () => Promise<void> {
  const complete = new Set<string>();
  const targets = new Map<string, bigint>();
  const lackOf = async (source: string, newest: ReadonlyMap<string, bigint> | undefined) => {
    const position = await index.position(source);
    if (position === undefined) return `${source} has no index`;
    if (newest === undefined) return [];
    const now = newest.get(source) ?? 0n;
    const before = targets.get(source) ?? now;
    // Smaller than before when the registry was restored to an earlier state.
    const target = now < before ? now : before;
    targets.set(source, target);
    if (position.serial < target) return `the index of ${source} lacks ${target - position.serial} changes`;
    complete.add(source);
    return [];
  };
  return async () => {
    const unsure = sources.filter((source) => !complete.has(source));
    if (unsure.length === 0) return;
    const newest = await indexer.newest();
    const lacks = (await Promise.all(unsure.map((source) => lackOf(source, newest)))).flat();
    if (lacks.length > 0) throw new Error(lacks.join('; '));
  };
}
