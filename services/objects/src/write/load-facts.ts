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
import type { Circumstances } from '../domain/decide.js';
import type { EmailMarks } from '../domain/email-marks.js';
import { type Neighbours, noNeighbours, type Surroundings } from '../domain/facts.js';
import { governingTypes } from '../domain/governing.js';
import { findKnown, objectName } from '../domain/known-objects.js';
import { parseMntRoutes } from '../domain/mnt-routes.js';
import type { Policy } from '../domain/policy.js';
import { dropsMailbox } from '../domain/rules/abuse-mailbox-kept.js';
import { tightens } from '../domain/rules/members-by-reference-changed.js';
import { statusOf } from '../domain/rules/status-hierarchy.js';
import { setParent } from '../domain/set-parent.js';
import type { Prepared } from '../domain/submission.js';
import { loadEmailMarks } from '../store/email-marks.js';
import { findContained, findEnclosing, findOverlapping } from '../store/hierarchy.js';
import { findReferrers, referenceClass } from '../store/references.js';
import type { Db, StoredObject } from '../store/stored-object.js';
import { loadKeys } from './load-keys.js';
import { type Loaded, loadMore, nothingLoaded, type ObjectAddress, stateOf } from './load-objects.js';

/** Everything that is stored and that the changes of a write have to do with. */
export interface Situation {
  readonly loaded: Loaded;
  /** Of each change. */
  readonly surroundings: readonly Surroundings[];
  /** Of the key-certs that candidates for authorisation name; empty when the caller holds no keys. */
  readonly keys: KeyFingerprints;
  /** Of the addresses in all of it. */
  readonly emailMarks: EmailMarks;
}

/** Loads it, under the locks of the write. */
export async function loadSituation(
  db: Db,
  sourceId: number,
  changes: readonly Prepared[],
  { principal, policy }: Pick<Circumstances, 'principal' | 'policy'>,
): Promise<Situation> {
  const named = await loadMore(db, sourceId, nothingLoaded, changes.flatMap(namedObjects));
  const surroundings: Surroundings[] = [];
  for (const change of changes) {
    const stored = named.objects.get(objectName(change.type, change.key.folded));
    const neighbours = await loadNeighbours(db, sourceId, change, stored, changes.length, policy);
    surroundings.push({
      referrers: await loadReferrers(db, sourceId, change, named, changes.length),
      neighbours,
      governing: await loadGoverning(db, sourceId, change, neighbours),
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

/** The object itself, what it refers to, and what stands above it by its name. */
function namedObjects(change: Prepared): ObjectAddress[] {
  const itself = { type: change.type, key: change.key.folded };
  if (change.verb === 'delete') {
    return [itself];
  }
  const parent = setParent(change.type, change.key.shown);
  const origins = change.verb === 'create' ? addresses(change.object, ['aut-num'], 'origin') : [];
  return [itself, ...targets(change.object), ...origins, ...(parent === undefined ? [] : [parent])];
}

/** An abuse contact may turn out to be a person, which is told as such. */
function targets(object: RpslObject): ObjectAddress[] {
  return referencesOf(object).flatMap(({ attribute, types, key }) =>
    (attribute === 'abuse-c' ? (['role', 'person'] as const) : types).map((type) => ({ type, key })),
  );
}

/**
 * What those objects name and rules ask about: maintainers of everything that authority is asked of, contacts of the
 * object's maintainers, organisations of enclosing networks.
 */
function furtherObjects(
  change: Prepared,
  { objects }: Loaded,
  { neighbours, governing, referrers }: Surroundings,
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
    ...(change.verb === 'create' ? referrers.map(addressOf) : []), // who names a key-cert that is to come
    ...neighbours.enclosing.flatMap((outer) => addresses(outer, ['organisation'], 'org')),
  ];
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

/** Rules that look at all objects that name one are rare, and must not miss any. */
const everyReferrer = 1_000_000;
const everyNeighbour = 1_000_000;

/** Objects that refer to this one, as far as a rule asks for them. */
async function loadReferrers(
  db: Db,
  sourceId: number,
  change: Prepared,
  { objects }: Loaded,
  changes: number,
): Promise<RpslObject[]> {
  const stored = objects.get(objectName(change.type, change.key.folded));
  const limit = stored === undefined ? dangling(change) : referrerLimit(change, stored, changes);
  if (limit === 0) {
    return [];
  }
  const target = { refClass: referenceClass([change.type]), key: change.key.folded };
  return (await findReferrers(db, sourceId, target, limit)).map((referrer) => referrer.object);
}

/** A new key-cert may be named already, by what was loaded in bulk. */
function dangling(change: Prepared): number {
  return change.verb === 'create' && change.type === 'key-cert' ? everyReferrer : 0;
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
  // The other changes of the write may take some of them away.
  return change.verb === 'delete' && change.type !== 'aut-num' ? changes : 0;
}

/** Of those that overlap the lowest is told; objects overlap on purpose nowhere, so there are few. */
const enoughOverlaps = 100;

const treeTypes: readonly ObjectTypeName[] = ['inetnum', 'inet6num', 'as-block', 'domain'];

/** Objects of its type that share numbers with a new object; the enclosing ones also where one may inherit from them. */
async function loadNeighbours(
  db: Db,
  sourceId: number,
  change: Prepared,
  stored: RpslObject | undefined,
  changes: number,
  policy: Policy,
): Promise<Neighbours> {
  const object = change.verb === 'delete' ? stored : change.object;
  const range = object && rangeOf(object);
  const isAboutStatus = object !== undefined && hasHierarchy(object, policy) && needsStatuses(change, stored);
  const isAsked =
    change.verb === 'create' ||
    isAboutStatus ||
    (object && change.verb === 'update' && hasAttribute(object, 'abuse-c'));
  if (range === undefined || !treeTypes.includes(change.type) || !isAsked) {
    return noNeighbours;
  }
  const others = (rows: readonly StoredObject[]) => rows.filter((row) => row.key !== change.key.folded).map(stateOf);
  const [enclosing = []] = await findEnclosing(db, sourceId, [change.type], [range], 'all');
  if (change.verb !== 'create' && !isAboutStatus) {
    return { ...noNeighbours, enclosing: others(enclosing) };
  }
  // Most rules ask whether anything is inside; those about statuses, what children there are.
  const contained = isAboutStatus
    ? await findContained(db, sourceId, change.type, range, 'children', everyNeighbour)
    : await findContained(db, sourceId, change.type, range, 'all', changes);
  if (change.verb !== 'create') {
    return { ...noNeighbours, enclosing: others(enclosing), contained: others(contained) };
  }
  const overlapping = await findOverlapping(db, sourceId, change.type, range, changes + enoughOverlaps);
  return { enclosing: others(enclosing), contained: others(contained), overlapping: others(overlapping) };
}

/** Whether what stands around an object must fit its status. */
function hasHierarchy(object: RpslObject, { profile }: Policy): boolean {
  return profile === 'rir' && (object.type === 'inetnum' || object.type === 'inet6num');
}

/** Networks come and go, and one may change its status; then those around it are looked at. */
function needsStatuses(change: Prepared, stored: RpslObject | undefined): boolean {
  return change.verb !== 'update' || (stored !== undefined && statusOf(stored) !== statusOf(change.object));
}

/** What encloses a new object and governs it; all levels, since the same write may take the closest one away. */
async function loadGoverning(
  db: Db,
  sourceId: number,
  change: Prepared,
  { enclosing }: Neighbours,
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
  return found.map(stateOf);
}
