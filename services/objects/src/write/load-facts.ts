import {
  hasAttribute,
  type ObjectTypeName,
  primaryKey,
  type RpslObject,
  rangeOf,
  referencesOf,
  valuesOf,
} from '@cadastre/rpsl';
import { together } from '@cadastre/service';
import { addedReferences } from '../domain/added-references.js';
import type { KeyFingerprints } from '../domain/authenticate.js';
import { isTrusted, maxConsents } from '../domain/authorisation/references.js';
import { mayAskOperator } from '../domain/authorise.js';
import { contactHandles } from '../domain/contacts.js';
import type { EmailMarks } from '../domain/email-marks.js';
import { noRelatedRanges, type RelatedRanges, type Surroundings } from '../domain/facts.js';
import { governingTypes, nearest, typesOf } from '../domain/governing.js';
import { findKnown, objectName } from '../domain/known-objects.js';
import { type NamedAddresses, noNamedAddresses, notifiedAddresses } from '../domain/mail-address.js';
import { parseMntRoutes } from '../domain/mnt-routes.js';
import { ruledEmails } from '../domain/notified-emails.js';
import type { Policy } from '../domain/policy.js';
import { callerOf, ownAddressOf, type Principal } from '../domain/principal.js';
import { dropsMailbox } from '../domain/rules/contacts.js';
import { tightens } from '../domain/rules/sets.js';
import { statusOf } from '../domain/rules/statuses.js';
import { setParent } from '../domain/set-parent.js';
import { possiblePayers, type StorageQuota } from '../domain/storage-quota.js';
import type { Prepared } from '../domain/submission.js';
import { loadEmailMarks } from '../store/email-marks.js';
import { findContained, findEnclosing, findOverlapping } from '../store/hierarchy.js';
import { type LockName, lockHandles, objectLock, tryLockShared } from '../store/locks.js';
import { findNamedAddresses } from '../store/mail-addresses.js';
import { storedSerials } from '../store/objects.js';
import { normalisedStored } from '../store/parse-stored.js';
import { findReferrers, referenceClass } from '../store/references.js';
import type { Source } from '../store/sources.js';
import { loadStorageUse } from '../store/storage-use.js';
import type { Db, StoredObject } from '../store/stored-object.js';
import { assignKeys, bearersOf, handleLocks, type KeyAssignment, keyClaims } from './assign-keys.js';
import { keyCertsOf, readKeys } from './load-keys.js';
import { type Loaded, loadMore, nothingLoaded, type ObjectAddress } from './load-objects.js';

/** The stored data on which a write is decided. `factsOf` makes the facts of each change from it. */
export interface LoadedFacts {
  readonly loaded: Loaded;
  /** One entry per change. */
  readonly surroundings: readonly Surroundings[];
  /** Keys of the key-certs that candidates for authorisation name; empty when the caller holds no keys. */
  readonly keys: KeyFingerprints;
  readonly assigned: KeyAssignment;
  readonly emailMarks: EmailMarks;
  /** Of a write that tells others. */
  readonly namedAddresses: NamedAddresses;
  /** How many bytes those have stored who may pay for the write, by `Payer.id`. */
  readonly storageUse: ReadonlyMap<string, number>;
}

/** What decides which facts a write needs. */
export interface FactsRequest {
  readonly principal: Principal;
  /** IP address of the client; empty when it is not known. */
  readonly clientAddress: string;
  readonly policy: Policy;
  readonly storageQuota: StorageQuota;
  /** Whether the write tells others. */
  readonly notifies: boolean;
  readonly now: Date;
}

/** A caller that locks what it loads. */
export interface LockedFacts extends LoadedFacts {
  /** The locks that the transaction has had since before it loaded what they protect. */
  readonly locked: ReadonlySet<LockName>;
}

/** A write that names more mntners than this takes only the locks of those that the caller proves. */
const maxTriedLocks = 100;

/**
 * Loads the facts of a write in two exchanges, seldom more: what the changes name and what is around new objects; then
 * what these name, handles, marks of addresses, and what those have stored who may pay. `held` are the locks that the caller has. The second exchange also takes those of the objects on
 * whose authority the write may rest, if no other write has them exclusively, and waits for those of handles. Without `held`, for a dry run, it takes
 * none; the caller reads one snapshot.
 */
export async function loadFacts(
  db: Db,
  source: Source,
  changes: readonly Prepared[],
  request: FactsRequest,
  held?: ReadonlySet<LockName>,
): Promise<LockedFacts> {
  const { principal, policy, storageQuota, notifies, now } = request;
  const sourceId = source.id;
  const lock = (locked: ReadonlySet<LockName>, names: readonly LockName[]) =>
    held === undefined ? Promise.resolve(locked) : lockMore(db, sourceId, locked, names);
  const [named, around] = await together(
    loadMore(db, sourceId, nothingLoaded, changes.flatMap(namedObjects)),
    together(...changes.map((change) => loadAround(db, sourceId, change, changes.length, policy))),
  );
  const nearby = around.flatMap(nearestRows);
  const further = [
    ...changes.flatMap((change, index) => furtherObjects(change, named, around[index]!)),
    ...(changes.some((change) => mayAskOperator(change, policy)) ? operators(policy) : []),
  ];
  const claims = keyClaims(
    source,
    policy,
    changes,
    changes.map((change) => storedOf(change, named) !== undefined),
  );
  // Whom to tell of a deletion only the next load shows.
  const kept = changes.filter((change) => change.verb !== 'delete');
  const emails = emailsOf(kept, named);
  const addresses = notifies ? addedAddresses(kept, named, principal) : [];
  const texts = kept.map((change) => ({ object: change.object, stored: storedOf(change, named) }));
  const payers = possiblePayers(texts, request, storageQuota, now);
  const [tried, loaded, serials, surroundings, , assigned, marks, storageUse, namedAddresses] = await together(
    lock(held ?? noLocks, [...nearby, ...further.filter(isProvable)].map(lockOf)),
    loadMore(db, sourceId, named, further),
    held === undefined ? Promise.resolve([]) : storedSerials(db, nearby),
    together(
      ...changes.map((change, at) => withStored(db, sourceId, change, named, around[at]!, changes.length, policy)),
    ),
    held === undefined ? Promise.resolve() : lockHandles(db, sourceId, handleLocks(source, changes, claims)),
    assignKeys(db, source, changes, claims, named),
    loadEmailMarks(db, emails),
    loadStorageUse(db, payers),
    addresses.length === 0
      ? Promise.resolve(noNamedAddresses)
      : findNamedAddresses(db, callerOf(principal), addresses, now),
  );
  const changed = nearby.filter((row, at) => serials[at] !== row.serial).map(lockOf);
  const consent = changes.flatMap((change, at) => laterObjects(change, surroundings[at]!));
  const later = emailsOf(changes, loaded).filter((address) => !emails.includes(address));
  const [locked, candidates, laterMarks] = await together(
    lock(new Set([...tried].filter((name) => !changed.includes(name))), consent.filter(isProvable).map(lockOf)),
    loadMore(db, sourceId, loaded, consent),
    loadEmailMarks(db, later),
  );
  const certificates = keyCertsOf(candidates, principal);
  const [lockedAll, withKeys] = await together(
    lock(locked, certificates.map(lockOf)),
    loadMore(db, sourceId, candidates, certificates),
  );
  const emailMarks = new Map([...marks, ...laterMarks]);
  const keys = readKeys(withKeys, principal);
  return { loaded: withKeys, surroundings, keys, assigned, emailMarks, storageUse, namedAddresses, locked: lockedAll };
}

function operators({ operatorMaintainers }: Policy): ObjectAddress[] {
  return operatorMaintainers.map((name) => ({ type: 'mntner', key: name.toLowerCase() }));
}

function storedOf({ type, key }: Prepared, { objects }: Loaded): RpslObject | undefined {
  return objects.get(objectName(type, key.folded));
}

/** The addresses to notify that new states of objects name, but the stored ones do not; without the caller's own. */
function addedAddresses(changes: readonly Prepared[], loaded: Loaded, principal: Principal): string[] {
  const before = changes.flatMap((change) => storedOf(change, loaded) ?? []).flatMap(notifiedAddresses);
  const after = changes.flatMap((change) => (change.verb === 'delete' ? [] : notifiedAddresses(change.object)));
  const known = new Set([...before, ownAddressOf(principal)]);
  return [...new Set(after)].filter((address) => !known.has(address));
}

function emailsOf(changes: readonly Prepared[], loaded: Loaded): string[] {
  return [...new Set(changes.flatMap((change) => ruledEmails(change, storedOf(change, loaded), loaded.objects)))];
}

const noLocks: ReadonlySet<LockName> = new Set();

/** The locks that the transaction has when it also tries to take these. */
async function lockMore(
  db: Db,
  sourceId: number,
  held: ReadonlySet<LockName>,
  names: readonly LockName[],
): Promise<ReadonlySet<LockName>> {
  const wanted = [...new Set(names)].filter((name) => !held.has(name));
  if (wanted.length === 0 || wanted.length > maxTriedLocks) {
    return held;
  }
  return (await tryLockShared(db, sourceId, wanted)) ? new Set([...held, ...wanted]) : held;
}

function lockOf({ type, key }: ObjectAddress): LockName {
  return objectLock([type], key);
}

/** Whether a caller may prove to be the object. */
function isProvable({ type }: ObjectAddress): boolean {
  return type === 'mntner' || type === 'irt';
}

/** The object itself, others of its key, the targets of its references, and the parent of a hierarchical set. */
function namedObjects(change: Prepared): ObjectAddress[] {
  const itself = { type: change.type, key: change.key.folded };
  if (change.verb === 'delete') {
    return [itself];
  }
  const parent = setParent(change.type, change.key.shown);
  const origins = change.verb === 'create' ? addresses(change.object, ['aut-num'], 'origin') : [];
  const bearers = change.verb === 'create' ? bearersOf(change) : [];
  return [itself, ...bearers, ...targets(change.object), ...origins, ...(parent === undefined ? [] : [parent])];
}

/** The targets of references. `abuse-c` may name a person by mistake, which has its own message. */
function targets(object: RpslObject): ObjectAddress[] {
  return referencesOf(object).flatMap(({ attribute, types, key }) =>
    (attribute === 'abuse-c' ? (['role', 'person'] as const) : types).map((type) => ({ type, key })),
  );
}

/**
 * Objects that the loaded ones name and that rules or strategies need: maintainers of everything whose authority counts,
 * contacts of the object's maintainers, organisations of networks that enclose a new one.
 */
function furtherObjects(change: Prepared, loaded: Loaded, { relatedRanges, governing }: Around): ObjectAddress[] {
  const { objects } = loaded;
  const find = ({ type, key }: ObjectAddress) => objects.get(objectName(type, key));
  const stored = storedOf(change, loaded);
  const parent = setParent(change.type, change.key.shown);
  const maintainers = change.verb === 'delete' ? [] : mntners(change.object, 'mnt-by').flatMap((m) => find(m) ?? []);
  const added = change.verb === 'delete' ? [] : addedReferences(change.object, stored);
  return [
    ...mntners(stored, 'mnt-by'),
    ...(stored === undefined ? [] : addresses(stored, ['organisation'], 'org')),
    ...(stored === undefined ? [] : addresses(stored, ['irt'], 'mnt-irt')),
    ...(stored === undefined || change.verb !== 'delete' ? [] : shownContacts(stored)),
    ...mntners(parent && find(parent), 'mnt-by', 'mnt-lower'),
    ...governing.flatMap(({ object }) => mntners(object, 'mnt-by', 'mnt-lower', 'mnt-domains', 'mnt-routes')),
    ...added.flatMap(({ types, key }) => mntners(findKnown(objects, types, key), 'mnt-ref')),
    ...maintainers.flatMap((mntner) => contacts(mntner)),
    ...holders(relatedRanges),
  ];
}

/** The same of what is loaded with them: of who must consent to a new name, and of what encloses a stored network. */
function laterObjects(change: Prepared, { referrers, relatedRanges }: Surroundings): ObjectAddress[] {
  return change.verb === 'create' ? referrers.flatMap(consenting) : holders(relatedRanges);
}

function holders({ enclosing }: RelatedRanges): ObjectAddress[] {
  return enclosing.flatMap((outer) => addresses(outer, ['organisation'], 'org'));
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

/** The reply to a deletion shows which of them are persons. */
function shownContacts(object: RpslObject): ObjectAddress[] {
  return contactHandles(object).flatMap((key) => (['person', 'role'] as const).map((type) => ({ type, key })));
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
  stored: RpslObject | undefined,
  changes: number,
): Promise<RpslObject[]> {
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

/** A stored object of the address space. */
interface Placed {
  readonly row: StoredObject;
  readonly object: RpslObject;
}

/** What is around a new object in the address space. */
interface Around {
  readonly relatedRanges: RelatedRanges;
  /** The objects that enclose and govern it, on all levels: the same write may delete the closest one. */
  readonly governing: readonly Placed[];
}

/** Does not depend on what is stored for the key. Nothing for other changes. */
async function loadAround(
  db: Db,
  sourceId: number,
  change: Prepared,
  changes: number,
  policy: Policy,
): Promise<Around> {
  const range = change.verb === 'create' ? rangeOf(change.object) : undefined;
  if (range === undefined) {
    return { relatedRanges: noRelatedRanges, governing: [] };
  }
  const isOwnType = change.type === 'inetnum' || change.type === 'inet6num';
  const others = isOwnType ? [] : (governingTypes[change.type] ?? []);
  const [related, ...governing] = await together(
    loadRelatedRanges(db, sourceId, change, undefined, changes, policy),
    ...others.map((type) => findEnclosing(db, sourceId, [type], [range], 'all')),
  );
  return {
    relatedRanges: related,
    governing: isOwnType ? related.placed : governing.flatMap(([found = []]) => found.map(placed)),
  };
}

function placed(row: StoredObject): Placed {
  return { row, object: normalisedStored(row) };
}

/** The rows of the closest objects that govern a new one. */
function nearestRows({ governing }: Around): StoredObject[] {
  const objects = governing.map(({ object }) => object);
  const closest = new Set(typesOf(objects).flatMap((type) => nearest(objects, type)));
  return governing.filter(({ object }) => closest.has(object)).map(({ row }) => row);
}

/** What is around a change, given the stored object. */
async function withStored(
  db: Db,
  sourceId: number,
  change: Prepared,
  named: Loaded,
  around: Around,
  changes: number,
  policy: Policy,
): Promise<Surroundings> {
  const stored = storedOf(change, named);
  const [referrers, relatedRanges] = await together(
    loadReferrers(db, sourceId, change, stored, changes),
    change.verb === 'create'
      ? Promise.resolve(around.relatedRanges)
      : loadRelatedRanges(db, sourceId, change, stored, changes, policy),
  );
  return { referrers, relatedRanges, governing: around.governing.map(({ object }) => object) };
}

/** Objects of the same type that overlap with a new object; enclosing ones also for rules on inheritance. */
async function loadRelatedRanges(
  db: Db,
  sourceId: number,
  change: Prepared,
  stored: RpslObject | undefined,
  changes: number,
  policy: Policy,
): Promise<RelatedRanges & { readonly placed: readonly Placed[] }> {
  const object = change.verb === 'delete' ? stored : change.object;
  const range = object && rangeOf(object);
  const isAboutStatus = object !== undefined && hasHierarchy(object, policy) && needsStatuses(change, stored);
  const isAsked =
    change.verb === 'create' ||
    isAboutStatus ||
    (object && change.verb === 'update' && hasAttribute(object, 'abuse-c'));
  if (range === undefined || !treeTypes.includes(change.type) || !isAsked) {
    return { ...noRelatedRanges, placed: [] };
  }
  const isInside = change.verb === 'create' || isAboutStatus;
  const [[enclosing = []], contained, overlapping] = await together(
    findEnclosing(db, sourceId, [change.type], [range], 'all'),
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
  const others = (rows: readonly StoredObject[]) => rows.filter((row) => row.key !== change.key.folded).map(placed);
  const objects = (rows: readonly StoredObject[]) => others(rows).map(({ object: other }) => other);
  const outer = others(enclosing);
  return {
    enclosing: outer.map(({ object: other }) => other),
    contained: objects(contained),
    overlapping: objects(overlapping),
    placed: outer,
  };
}

/** Whether the statuses around an object must fit its own. */
function hasHierarchy(object: RpslObject, { profile }: Policy): boolean {
  return profile === 'rir' && (object.type === 'inetnum' || object.type === 'inet6num');
}

/** Whether a change affects the hierarchy of statuses: a create, a delete, or a new status. */
function needsStatuses(change: Prepared, stored: RpslObject | undefined): boolean {
  return change.verb !== 'update' || (stored !== undefined && statusOf(stored) !== statusOf(change.object));
}
