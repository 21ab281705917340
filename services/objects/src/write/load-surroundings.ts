import { hasAttribute, type ObjectTypeName, type RpslObject, rangeOf } from '@cadastre/rpsl';
import { together } from '@cadastre/service';
import { isTrusted, maxConsents } from '../domain/authorisation/references.js';
import type { Prepared } from '../domain/change.js';
import { noRelatedRanges, type RelatedRanges, type Surroundings } from '../domain/facts.js';
import { governingTypes } from '../domain/governing.js';
import type { Policy } from '../domain/policy.js';
import { dropsMailbox } from '../domain/rules/contacts.js';
import { losesMember, tightens } from '../domain/rules/sets.js';
import { statusOf } from '../domain/rules/statuses.js';
import { findContained, findEnclosing, findOverlapping } from '../store/hierarchy.js';
import { below, nameOfObject, type WriteName } from '../store/names.js';
import { findReferrers, type Referrer, referenceClass } from '../store/references.js';
import { type Db, normalisedStored, type StoredObject } from '../store/stored-object.js';
import { addressOf } from './load-objects.js';
import { governingNames, treeNames } from './tree-names.js';

/** Where the changes of one write are loaded, and how many they are. */
interface LoadScope {
  readonly db: Db;
  readonly sourceId: number;
  readonly policy: Policy;
  readonly changes: number;
}

/** Effectively no limit: the few rules that check all related ranges must not miss any. */
const everyRelatedRange = 1_000_000;
/** Maximum referrers of which a rule needs to know; the other changes of the write may remove some of them. */
const maxNeeded = 1_000;

/** Objects that refer to this one, as far as a rule needs them. */
async function loadReferrers(
  { db, sourceId, changes }: LoadScope,
  change: Prepared,
  stored: RpslObject | undefined,
): Promise<{ readonly referrers: readonly RpslObject[]; readonly read: readonly WriteName[] }> {
  const needed =
    stored === undefined ? { limit: danglingLimit(change, changes) } : neededReferrers(change, stored, changes);
  if (needed.limit === 0) return { referrers: [], read: [] };
  const target = { refClass: referenceClass([change.type]), key: change.key.folded };
  const found = await findReferrers(db, sourceId, target, needed);
  const read = [below(nameOfObject([change.type], change.key.folded))];
  return { referrers: found.map((referrer) => referrer.object), read };
}

/** Bulk-loaded objects may name a new object already. The other changes may remove some of these referrers. */
function danglingLimit(change: Prepared, changes: number): number {
  return change.verb === 'create' && isTrusted(change.type) ? maxConsents + 1 + changes : 0;
}

/**
 * The referrers that rules need. Of the hundreds of thousands that an account can store, it holds none that do not
 * matter.
 */
function neededReferrers(
  change: Prepared,
  stored: RpslObject,
  changes: number,
): { readonly limit: number; isNeeded?(referrer: Referrer): boolean } {
  const action = change.verb === 'delete' ? 'delete' : 'modify';
  const object = change.verb === 'delete' ? stored : change.object;
  // The other changes of the write may remove as many referrers.
  const any = change.verb === 'delete' && change.type !== 'aut-num' ? changes : 0;
  const limit = maxNeeded + changes;
  if (change.type === 'role' && dropsMailbox(action, stored, object)) {
    let others = 0;
    const isNeeded = ({ references }: Referrer) =>
      references.some(({ attribute }) => attribute === 'abuse-c') || others++ < any;
    return { limit: limit + any, isNeeded };
  }
  if (change.verb === 'update' && hasAttribute(object, 'mbrs-by-ref') && tightens(stored, object)) {
    return { limit, isNeeded: ({ object: member }) => losesMember(stored, object, member, change.key.folded) };
  }
  return { limit: any };
}

/** Enough to name the lowest. Partial overlaps are errors, so there are few. */
const enoughOverlaps = 100;

const treeTypes: readonly ObjectTypeName[] = ['inetnum', 'inet6num', 'as-block', 'domain'];

/** The objects around a new object in the address space. */
export interface Around {
  readonly relatedRanges: RelatedRanges;
  /** The objects that enclose and govern it, on all levels: the same write may delete the closest one. */
  readonly governing: readonly RpslObject[];
  readonly read: readonly WriteName[];
}

/** Loads what is around a new object; does not depend on the stored object of the key. Empty for other changes. */
export async function loadAround(scope: LoadScope, change: Prepared): Promise<Around> {
  const object = change.verb === 'create' ? change.object : undefined;
  const range = object && rangeOf(object);
  if (object === undefined || range === undefined) return { relatedRanges: noRelatedRanges, governing: [], read: [] };
  const isOwnType = change.type === 'inetnum' || change.type === 'inet6num';
  const others = isOwnType ? [] : (governingTypes[change.type] ?? []);
  const [related, ...governing] = await together(
    loadRelatedRanges(scope, change, undefined),
    ...others.map((type) => findEnclosing(scope.db, scope.sourceId, type, range)),
  );
  const governors = isOwnType ? related.ranges.enclosing : governing.flatMap((found) => found.map(normalisedStored));
  return {
    relatedRanges: related.ranges,
    governing: governors,
    read: [...related.read, ...governingNames(object), ...governors.map(nameOf)],
  };
}

/** Loads the rest of what is around a change, given the stored object. */
export async function loadSurroundings(
  scope: LoadScope,
  change: Prepared,
  stored: RpslObject | undefined,
  around: Around,
): Promise<Surroundings & { readonly read: readonly WriteName[] }> {
  const [{ referrers, read }, related] = await together(
    loadReferrers(scope, change, stored),
    change.verb === 'create'
      ? Promise.resolve({ ranges: around.relatedRanges, read: around.read })
      : loadRelatedRanges(scope, change, stored),
  );
  return { referrers, relatedRanges: related.ranges, governing: around.governing, read: [...read, ...related.read] };
}

/** Objects of the same type that overlap with a new object; enclosing ones also for rules on inheritance. */
async function loadRelatedRanges(
  { db, sourceId, policy, changes }: LoadScope,
  change: Prepared,
  stored: RpslObject | undefined,
): Promise<{ readonly ranges: RelatedRanges; readonly read: readonly WriteName[] }> {
  const object = change.verb === 'delete' ? stored : change.object;
  const range = object && rangeOf(object);
  const isAboutStatus = object !== undefined && hasHierarchy(object, policy) && needsStatuses(change, stored);
  const isNeeded =
    change.verb === 'create' ||
    isAboutStatus ||
    (object && change.verb === 'update' && hasAttribute(object, 'abuse-c'));
  if (object === undefined || range === undefined || !isNeeded) return { ranges: noRelatedRanges, read: [] };
  const { read } = treeNames(object);
  if (!treeTypes.includes(change.type)) return { ranges: noRelatedRanges, read };
  const isInside = change.verb === 'create' || isAboutStatus;
  const [enclosing, contained, overlapping] = await together(
    findEnclosing(db, sourceId, change.type, range),
    // Most rules need to know whether anything is inside; rules on statuses need all children.
    isInside
      ? findContained(
          db,
          sourceId,
          change.type,
          range,
          isAboutStatus ? 'children' : 'all',
          isAboutStatus ? everyRelatedRange : changes,
        )
      : Promise.resolve([]),
    change.verb === 'create'
      ? findOverlapping(db, sourceId, change.type, range, changes + enoughOverlaps)
      : Promise.resolve([]),
  );
  const objects = (rows: readonly StoredObject[]) =>
    rows.filter((row) => row.key !== change.key.folded).map(normalisedStored);
  const ranges = { enclosing: objects(enclosing), contained: objects(contained), overlapping: objects(overlapping) };
  // Of the objects inside only the status counts, and changing that writes the tree.
  return { ranges, read: [...read, ...[...ranges.enclosing, ...ranges.overlapping].map(nameOf)] };
}

/** The name of a stored object. */
function nameOf(object: RpslObject): WriteName {
  const { type, key } = addressOf(object);
  return nameOfObject([type], key);
}

/** Whether the statuses around an object must match its own. */
function hasHierarchy(object: RpslObject, { profile }: Policy): boolean {
  return profile === 'rir' && (object.type === 'inetnum' || object.type === 'inet6num');
}

/** Whether a change affects the hierarchy of statuses: a create, a delete, or a new status. */
function needsStatuses(change: Prepared, stored: RpslObject | undefined): boolean {
  return change.verb !== 'update' || (stored !== undefined && statusOf(stored) !== statusOf(change.object));
}
