import { cleanValue, type RpslObject } from '@cadastre/rpsl';
import type { Facts } from '../facts.js';
import { findMntner } from '../known-objects.js';

/**
 * The mntners of these names, each once, in the order of the names; unknown ones are left out. What is stored counts
 * before what is submitted: nobody gains a maintainer by changing it. A mntner that this write makes speaks for itself.
 */
export function findCandidates(facts: Facts, names: readonly string[]): RpslObject[] {
  const found = names.flatMap((name) => findMntner(facts.before, name) ?? findMntner(facts.after, name) ?? []);
  return [...new Set(found)];
}

/** How a refusal names them. */
export function candidateNames(candidates: readonly RpslObject[]): string[] {
  return candidates.map((mntner) => cleanValue(mntner.attributes[0]!));
}
