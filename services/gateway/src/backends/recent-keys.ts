import type { ObjectName } from './lookup-cache.js';

/** The names of objects that were asked for lately. */
export interface RecentKeys {
  /** Whether an object was asked for within the time; from now on it was. */
  seenRecently(name: ObjectName): boolean;
}

export interface RecentKeysOptions {
  /** How long a name counts as asked for: a reply that is kept no longer than this would help nobody later. */
  readonly forMs: number;
  /** Milliseconds; default: those of the process. */
  readonly clock?: () => number;
}

/** Names that are remembered at most: groups of a few, of which the one asked for longest ago goes first. */
const groups = 1 << 15;
const groupSize = 4;

/**
 * Remembers hashes of names for `forMs`, each in the group that its hash names: a fixed amount of memory, and nothing to
 * collect. Names with the same hash count as one, which costs a place in the cache.
 */
export function createRecentKeys({ forMs, clock = () => performance.now() }: RecentKeysOptions): RecentKeys {
  const hashes = new Int32Array(groups * groupSize);
  const requested = new Float64Array(groups * groupSize);
  return {
    seenRecently(name) {
      const hash = hashOf(name);
      const now = clock();
      const first = ((hash ^ (hash >>> 16)) & (groups - 1)) * groupSize;
      let place = first;
      while (hashes[place] !== hash && place < first + groupSize - 1) place++;
      const isAgain = hashes[place] === hash && now - requested[place]! <= forMs;
      for (const remembered of [hashes, requested]) remembered.copyWithin(first + 1, first, place);
      hashes[first] = hash;
      requested[first] = now;
      return isAgain;
    },
  };
}

/** FNV-1a; never 0, which marks an empty place. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash === 0 ? 1 : hash;
}
