import {
  hasAttribute,
  type ObjectTypeName,
  primaryKey,
  type RpslObject,
  rangeOf,
  referencesOf,
  valuesOf,
} from '@cadastre/rpsl';
import { addedReferences } from '../domain/added-references.js';
import type { KeyFingerprints } from '../domain/authenticate.js';
import { isTrusted, maxConsents } from '../domain/authorisation/references.js';
import type { EmailMarks } from '../domain/email-marks.js';
import { noRelatedRanges, type RelatedRanges, type Surroundings } from '../domain/facts.js';
import { governingTypes } from '../domain/governing.js';
import { findKnown, objectName } from '../domain/known-objects.js';
import { parseMntRoutes } from '../domain/mnt-routes.js';
import type { Policy } from '../domain/policy.js';
import type { Principal } from '../domain/principal.js';
import { dropsMailbox } from '../domain/rules/contacts.js';
import { tightens } from '../domain/rules/sets.js';
import { statusOf } from '../domain/rules/statuses.js';
import { setParent } from '../domain/set-parent.js';
import type { Prepared } from '../domain/submission.js';
import { loadEmailMarks } from '../store/email-marks.js';
import { findContained, findEnclosing, findOverlapping } from '../store/hierarchy.js';
import { normalisedStored } from '../store/parse-stored.js';
import { findReferrers, referenceClass } from '../store/references.js';
import type { Db, StoredObject } from '../store/stored-object.js';
import { loadKeys } from './load-keys.js';
import { type Loaded, loadMore, nothingLoaded, type ObjectAddress } from './load-objects.js';

/** The stored data on which a write is decided. `factsOf` makes the facts of each change from it. */
export interface LoadedFacts {
  readonly loaded: Loaded;
  /** One entry per change. */
  readonly surroundings: readonly Surroundings[];
  /** Keys of the key-certs that candidates for authorisation name; empty when the caller holds no keys. */
  readonly keys: KeyFingerprints;
  /** Marks of all e-mail addresses in the loaded and submitted objects. */
  readonly emailMarks: EmailMarks;
}

/** Loads the facts of a write. The caller holds the locks, or reads one snapshot. */
export async function loadFacts(
  db: Db,
  sourceId: number,
  changes: readonly Prepared[],
  { principal, policy }: { readonly principal: Principal; readonly policy: Policy },
): Promise<LoadedFacts> {
  const named = await loadMore(db, sourceId, nothingLoaded, changes.flatMap(namedObjects));
  const surroundings: Surroundings[] = [];
  for (const change of changes) {
    const stored = named.objects.get(objectName(change.type, change.key.folded));
    const relatedRanges = await loadRelatedRanges(db, sourceId, change, stored, changes.length, policy);
    surroundings.push({
      referrers: await loadReferrers(db, sourceId, change, named, changes.length),
      relatedRanges,
      governing: await loadGoverning(db, sourceId, change, relatedRanges),
    });
  }
  const further = [
    ...changes.flatMap((change, index) => furtherObjects(change, named, surroundings[index]!)),
    ...policy.operatorMaintainers.map((name) => ({ type: 'mntner', key: name.toLowerCase() }) as const),
  ];
  const candidates = await loadMore(db, sourceId, named, further);
  const { loaded, keys } = await loadKeys(db, sourceId, candidates, principal);
  const emailMarks = await loadEmailMarks(db, [...loaded.objects.values(), ...changes.flatMap(submittedObject)]);
  return { loaded, surroundings, keys, emailMarks };
}

function submittedObject(change: Prepared): RpslObject[] {
  return change.verb === 'delete' ? [] : [change.object];
}

/** The object itself, the targets of its references, and the parent of a hierarchical set. */
function namedObjects(change: Prepared): ObjectAddress[] {
  const itself = { type: change.type, key: change.key.folded };
  if (change.verb === 'delete') {
    return [itself];
  }
  const parent = setParent(change.type, change.key.shown);
  const origins = change.verb === 'create' ? addresses(change.object, ['aut-num'], 'origin') : [];
  return [itself, ...targets(change.object), ...origins, ...(parent === undefined ? [] : [parent])];
}

/** The targets of references. `abuse-c` may name a person by mistake, which has its own message. */
function targets(object: RpslObject): ObjectAddress[] {
  return referencesOf(object).flatMap(({ attribute, types, key }) =>
    (attribute === 'abuse-c' ? (['role', 'person'] as const) : types).map((type) => ({ type, key })),
  );
}

/**
 * Objects that the loaded ones name and that rules or strategies need: maintainers of everything whose authority counts,
 * contacts of the object's maintainers, organisations of enclosing networks.
 */
function furtherObjects(
  change: Prepared,
  { objects }: Loaded,
  { relatedRanges, governing, referrers }: Surroundings,
): ObjectAddress[] {
  const find = ({ type, key }: ObjectAddress) => objects.get(objectName(type, key));
  const stored = find({ type: change.type, key: change.key.folded });
  const parent = setParent(change.type, change.key.shown);
  const maintainers = change.verb === 'delete' ? [] : mntners(change.object, 'mnt-by').flatMap((m) => find(m) ?? []);
  const added = change.verb === 'delete' ? [] : addedReferences(change.object, stored);
  return [
    ...mntners(stored, 'mnt-by'),
    ...(stored === undefined ? [] : addresses(stored, ['organisation'], 'org')),
    ...(stored === undefined ? [] : addresses(stored, ['irt'], 'mnt-irt')),
    ...mntners(parent && find(parent), 'mnt-by', 'mnt-lower'),
    ...governing.flatMap((one) => mntners(one, 'mnt-by', 'mnt-lower', 'mnt-domains', 'mnt-routes')),
    ...added.flatMap(({ types, key }) => mntners(findKnown(objects, types, key), 'mnt-ref')),
    ...maintainers.flatMap((mntner) => contacts(mntner)),
    ...(change.verb === 'create' ? referrers.flatMap(consenting) : []),
    ...relatedRanges.enclosing.flatMap((outer) => addresses(outer, ['organisation'], 'org')),
  ];
}

/** The objects that may consent when an object that this one names already is created: itself and its maintainers. */
function consenting(referrer: RpslObject): ObjectAddress[] {
  return [addressOf(referrer), ...mntners(referrer, 'mnt-by')];
}

function addressOf(object: RpslObject): ObjectAddress {
  const key = primaryKey(object);
  return { type: object.type, key: 'folded' in key ? key.folded : '' };
}

function mntners(object: RpslObject | undefined, ...attributes: string[]): ObjectAddress[] {
  return object === undefined ? [] : addresses(object, ['mntner'], ...attributes);
}

function contacts(object: RpslObject): ObjectAddress[] {
  return addresses(object, ['person', 'role'], 'admin-c', 'tech-c');
}

function addresses(
  object: RpslObject,
  types: readonly ObjectTypeName[],
  ...attributes: readonly string[]
): ObjectAddress[] {
  const names = attributes.flatMap((attribute) =>
    valuesOf(object, attribute).map((value) => (attribute === 'mnt-routes' ? parseMntRoutes(value).mntner : value)),
  );
  return names.flatMap((name) => types.map((type) => ({ type, key: name.toLowerCase() })));
}

/** Effectively no limit: the few rules that check all referrers or related ranges must not miss any. */
const everyReferrer = 1_000_000;
const everyRelatedRange = 1_000_000;

/** Objects that refer to this one, as far as a rule needs them. */
async function loadReferrers(
  db: Db,
  sourceId: number,
  change: Prepared,
  { objects }: Loaded,
  changes: number,
): Promise<RpslObject[]> {
  const stored = objects.get(objectName(change.type, change.key.folded));
  const limit = stored === undefined ? danglingLimit(change, changes) : referrerLimit(change, stored, changes);
  if (limit === 0) {
    return [];
  }
  const target = { refClass: referenceClass([change.type]), key: change.key.folded };
  return (await findReferrers(db, sourceId, target, limit)).map((referrer) => referrer.object);
}

/** Bulk-loaded objects may name a new object already. The other changes may remove some of these referrers. */
function danglingLimit(change: Prepared, changes: number): number {
  return change.verb === 'create' && isTrusted(change.type) ? maxConsents + 1 + changes : 0;
}

function referrerLimit(change: Prepared, stored: RpslObject, changes: number): number {
  const action = change.verb === 'delete' ? 'delete' : 'modify';
  const object = change.verb === 'delete' ? stored : change.object;
  const isMailboxDropped = change.type === 'role' && dropsMailbox(action, stored, object);
  if (
    isMailboxDropped ||
    (change.verb === 'update' && hasAttribute(object, 'mbrs-by-ref') && tightens(stored, object))
  ) {
    return everyReferrer;
  }
  // The other changes of the write may remove as many referrers.
  return change.verb === 'delete' && change.type !== 'aut-num' ? changes : 0;
}

/** Enough to name the lowest. Partial overlaps are errors, so there are few. */
const enoughOverlaps = 100;

const treeTypes: readonly ObjectTypeName[] = ['inetnum', 'inet6num', 'as-block', 'domain'];

/** Objects of the same type that overlap with a new object; enclosing ones also for rules on inheritance. */
async function loadRelatedRanges(
  db: Db,
  sourceId: number,
  change: Prepared,
  stored: RpslObject | undefined,
  changes: number,
  policy: Policy,
): Promise<RelatedRanges> {
  const object = change.verb === 'delete' ? stored : change.object;
  const range = object && rangeOf(object);
  const isAboutStatus = object !== undefined && hasHierarchy(object, policy) && needsStatuses(change, stored);
  const isAsked =
    change.verb === 'create' ||
    isAboutStatus ||
    (object && change.verb === 'update' && hasAttribute(object, 'abuse-c'));
  if (range === undefined || !treeTypes.includes(change.type) || !isAsked) {
    return noRelatedRanges;
  }
  const others = (rows: readonly StoredObject[]) =>
    rows.filter((row) => row.key !== change.key.folded).map(normalisedStored);
  const [enclosing = []] = await findEnclosing(db, sourceId, [change.type], [range], 'all');
  if (change.verb !== 'create' && !isAboutStatus) {
    return { ...noRelatedRanges, enclosing: others(enclosing) };
  }
  // Most rules need to know whether anything is inside; rules on statuses need all children.
  const contained = isAboutStatus
    ? await findContained(db, sourceId, change.type, range, 'children', everyRelatedRange)
    : await findContained(db, sourceId, change.type, range, 'all', changes);
  if (change.verb !== 'create') {
    return { ...noRelatedRanges, enclosing: others(enclosing), contained: others(contained) };
  }
  const overlapping = await findOverlapping(db, sourceId, change.type, range, changes + enoughOverlaps);
  return { enclosing: others(enclosing), contained: others(contained), overlapping: others(overlapping) };
}

/** Whether the statuses around an object must fit its own. */
function hasHierarchy(object: RpslObject, { profile }: Policy): boolean {
  return profile === 'rir' && (object.type === 'inetnum' || object.type === 'inet6num');
}

/** Whether a change affects the hierarchy of statuses: a create, a delete, or a new status. */
function needsStatuses(change: Prepared, stored: RpslObject | undefined): boolean {
  return change.verb !== 'update' || (stored !== undefined && statusOf(stored) !== statusOf(change.object));
}

/** The objects that enclose and govern a new object, on all levels: the same write may delete the closest one. */
async function loadGoverning(
  db: Db,
  sourceId: number,
  change: Prepared,
  { enclosing }: RelatedRanges,
): Promise<readonly RpslObject[]> {
  const types = governingTypes[change.type];
  const range = change.verb === 'create' ? rangeOf(change.object) : undefined;
  if (types === undefined || range === undefined) {
    return [];
  }
  if (change.type === 'inetnum' || change.type === 'inet6num') {
    return enclosing; // its own type governs it
  }
  const [found = []] = await findEnclosing(db, sourceId, types, [range], 'all');
  return found.map(normalisedStored);
}
