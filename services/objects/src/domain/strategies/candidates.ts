import {
  cleanValue,
  hasAttribute,
  type Message,
  messages,
  primaryKey,
  type RpslObject,
  valuesOf,
} from '@cadastre/rpsl';
import type { Facts } from '../facts.js';
import { findMntner } from '../known-objects.js';
import { parseMntRoutes } from '../mnt-routes.js';
import type { Principal } from '../principal.js';
import { keyCertWarnings, proves } from '../prove.js';

/** An attribute that names mntners. */
export type MaintainerAttribute = 'mnt-by' | 'mnt-lower' | 'mnt-domains' | 'mnt-routes' | 'mnt-ref';

export interface AskOptions {
  /** The values of the attribute that count; all unless given. */
  readonly values?: readonly string[];
  /** How a refusal begins. */
  readonly refusal?: typeof messages.authorisationFailed;
}

/** Nothing, when one of the mntners that an attribute of an object names is the caller; else who would have done. */
export function askMaintainers(
  holder: RpslObject,
  attribute: MaintainerAttribute,
  facts: Facts,
  principal: Principal | undefined,
  { values = valuesOf(holder, attribute), refusal = messages.authorisationFailed }: AskOptions = {},
): Message[] {
  const candidates = findCandidates(facts, attribute === 'mnt-routes' ? values.map(routesMntner) : values);
  return candidates.some((mntner) => proves(mntner, facts, principal))
    ? []
    : [
        refusal(holder.type, shownKey(holder), attribute, candidateNames(candidates)),
        ...keyCertWarnings(candidates, facts, principal),
      ];
}

/** The attribute of an object that tells who may make others under it: `mnt-lower`, or `mnt-by` when it has none. */
export function lowerAttribute(holder: RpslObject): 'mnt-lower' | 'mnt-by' {
  return hasAttribute(holder, 'mnt-lower') ? 'mnt-lower' : 'mnt-by';
}

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
  return candidates.map((candidate) => cleanValue(candidate.attributes[0]!));
}

/** The key of an object as a refusal shows it. */
export function shownKey(object: RpslObject): string {
  const key = primaryKey(object);
  return 'shown' in key ? key.shown : cleanValue(object.attributes[0]!);
}

function routesMntner(value: string): string {
  return parseMntRoutes(value).mntner;
}
