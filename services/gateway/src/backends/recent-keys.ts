import type { ObjectName } from './lookup-cache.js';

/** The names of recently requested objects. */
export interface RecentKeys {
  /** Whether an object was requested within the time. Records this request. */
  seenRecently(name: ObjectName): boolean;
}

export interface RecentKeysOptions {
  /** How long a name counts as recent: longer than the lifetime of a cached reply would be useless. */
  readonly forMs: number;
  /** Milliseconds; default: those of the process. */
  readonly clock?: () => number;
}

/** Maximum number of groups of a few names each; a full group drops the name with the oldest request. */
const groups = 1 << 15;
const groupSize = 4;

/**
 * Stores hashes of names for `forMs`, each in the group that its hash selects: a fixed amount of memory, and no
 * garbage. Names with the same hash count as one, at the cost of an unused entry in the cache.
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

/** FNV-1a; never 0, which marks an empty entry. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash === 0 ? 1 : hash;
}
