import {
  cleanValue,
  hasAttribute,
  type Message,
  messages,
  primaryKey,
  type RpslObject,
  valuesOf,
} from '@cadastre/rpsl';
import type { Principal } from '../authenticate.js';
import type { Change } from '../change.js';
import type { Facts } from '../facts.js';
import { findMntner, objectName } from '../known-objects.js';
import { parseMntRoutes } from '../mnt-routes.js';
import type { Policy } from '../policy.js';
import { keyCertWarnings, proves } from '../prove.js';

/**
 * One condition of authority. Returns no messages when it is met; otherwise they name the maintainers who could
 * authorise.
 */
export type Strategy = (change: Change, facts: Facts, principal: Principal | undefined, policy: Policy) => Message[];

/** An attribute that names mntners. */
export type MaintainerAttribute = 'mnt-by' | 'mnt-lower' | 'mnt-domains' | 'mnt-routes' | 'mnt-ref';

interface AskOptions {
  /** Which values of the attribute count; default all. */
  readonly values?: readonly string[];
  /** Makes the message of a refusal. */
  readonly refusal?: typeof messages.authorisationFailed;
}

/**
 * Requires that the caller is one of the mntners that an attribute of the object names; otherwise names them. For a
 * stored object only stored mntners count: otherwise anyone could create a mntner that it names but that does not
 * exist.
 */
export function askMaintainers(
  holder: RpslObject,
  attribute: MaintainerAttribute,
  facts: Facts,
  principal: Principal | undefined,
  { values = valuesOf(holder, attribute), refusal = messages.authorisationFailed }: AskOptions = {},
): Message[] {
  const names = attribute === 'mnt-routes' ? values.map((value) => parseMntRoutes(value).mntner) : values;
  const candidates = findCandidates(isStored(holder, facts) ? { ...facts, after: facts.before } : facts, names);
  return candidates.some((mntner) => proves(mntner, facts, principal))
    ? []
    : [
        refusal(holder.type, writtenKey(holder), attribute, candidateNames(candidates)),
        ...keyCertWarnings(candidates, facts, principal),
      ];
}

/** The attribute that decides who may create objects under this one: `mnt-lower`, or `mnt-by` without it. */
export function lowerAttribute(holder: RpslObject): 'mnt-lower' | 'mnt-by' {
  return hasAttribute(holder, 'mnt-lower') ? 'mnt-lower' : 'mnt-by';
}

/**
 * The mntners of these names, each once, in this order, without unknown ones. Uses the stored state of a mntner, not
 * the submitted one, so a change of it gives no authority. Uses a mntner that this write creates as submitted.
 */
export function findCandidates(facts: Pick<Facts, 'before' | 'after'>, names: readonly string[]): RpslObject[] {
  const found = names.flatMap((name) => findMntner(facts.before, name) ?? findMntner(facts.after, name) ?? []);
  return [...new Set(found)];
}

function isStored(object: RpslObject, { before }: Facts): boolean {
  const key = primaryKey(object);
  return 'folded' in key && before.has(objectName(object.type, key.folded));
}

/** The names of candidates, for a refusal. */
export function candidateNames(candidates: readonly RpslObject[]): string[] {
  return candidates.map((candidate) => cleanValue(candidate.attributes[0]!));
}

/** The key of an object, for a refusal. */
export function writtenKey(object: RpslObject): string {
  const key = primaryKey(object);
  return 'shown' in key ? key.shown : cleanValue(object.attributes[0]!);
}

/**
 * Requires the object's own maintainers (`mnt-by`): of the stored object if there is one, also when the action is
 * create; else of the new one. The maintainers of the new state may modify a stored object that has none (legacy data).
 */
export const ownMaintainers: Strategy = (change, facts, principal) =>
  askMaintainers(maintainedState(change), 'mnt-by', facts, principal, {
    refusal: (type, _key, attribute, candidates) =>
      messages.authorisationFailed(type, change.key.shown, attribute, candidates),
  });

/** The state of the object whose `mnt-by` counts. */
export function maintainedState({ action, object, stored }: Pick<Change, 'action' | 'object' | 'stored'>): RpslObject {
  const isUnmaintained = stored !== undefined && valuesOf(stored, 'mnt-by').length === 0;
  return stored === undefined || (action === 'modify' && isUnmaintained) ? object : stored;
}
