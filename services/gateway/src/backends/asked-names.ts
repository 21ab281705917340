import type { ObjectName } from './lookup-cache.js';

/** The names of objects that were asked for lately. */
export interface AskedNames {
  /** Whether an object was asked for before; from now on it was. */
  noteAgain(name: ObjectName): boolean;
}

/** Names that are remembered at most: groups of a few, of which the one asked for longest ago goes first. */
const groups = 1 << 15;
const groupSize = 4;

/**
 * Remembers hashes of names, each in the group that its hash names: a fixed amount of memory, and nothing to collect.
 * Names with the same hash count as one, which costs a place in the cache.
 */
export function createAskedNames(): AskedNames {
  const hashes = new Int32Array(groups * groupSize);
  return {
    noteAgain(name) {
      const hash = hashOf(name);
      const first = ((hash ^ (hash >>> 16)) & (groups - 1)) * groupSize;
      let place = first;
      while (hashes[place] !== hash && place < first + groupSize - 1) place++;
      const isAgain = hashes[place] === hash;
      hashes.copyWithin(first + 1, first, place);
      hashes[first] = hash;
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
