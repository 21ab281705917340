import { type CoveringRoa, conflictOf, type RoaIndex } from '@cadastre/roa';
import { type Family, wordsEach } from './prefix-list.js';
import { rangeAt } from './prefix-words.js';
import type { IsHidden } from './source-index.js';

/**
 * A ROA that makes a route invalid; undefined for a route that is not, and without ROAs. `FindConflict` of libs/roa
 * reads texts, which an index with millions of routes does not have, and prefers a ROA of the origin.
 */
export type FindConflict = (origin: number, family: Family, prefix: Uint32Array) => CoveringRoa | undefined;

/** Compares routes with the current payloads. */
export function conflictsIn(payloads: () => RoaIndex | undefined): FindConflict {
  return (origin, family, prefix) => {
    const known = payloads();
    if (known === undefined) return undefined;
    const length = prefix[wordsEach(family) - 1]!;
    const { first } = rangeAt(prefix, 0, family);
    return conflictOf({ length, origin }, known.covering({ family, first, length }))?.roa;
  };
}

/** Whether there is such a ROA. */
export function invalidBy(findConflict: FindConflict): IsHidden {
  return (origin, family, prefix) => findConflict(origin, family, prefix) !== undefined;
}
