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
import { governingTypes } from '../domain/governing.js';
import { findKnown, objectName } from '../domain/known-objects.js';
import { type NamedAddresses, noNamedAddresses, notifiedAddresses } from '../domain/mail-address.js';
import { parseMntRoutes } from '../domain/mnt-routes.js';
import { ruledEmails } from '../domain/notified-emails.js';
import type { Policy } from '../domain/policy.js';
import { callerOf, ownAddressOf, type Principal } from '../domain/principal.js';
import { dropsMailbox } from '../domain/rules/contacts.js';
import { losesMember, tightens } from '../domain/rules/sets.js';
import { statusOf } from '../domain/rules/statuses.js';
import { setParent } from '../domain/set-parent.js';
import { possiblePayers, type StorageQuota } from '../domain/storage-quota.js';
import type { Prepared } from '../domain/submission.js';
import { loadEmailMarksOfAll } from '../store/email-marks.js';
import type { HeldNumbers } from '../store/handles.js';
import { findContained, findEnclosing, findOverlapping } from '../store/hierarchy.js';
import { findNamedAddresses } from '../store/mail-addresses.js';
import { below, nameOfNumber, nameOfObject, type WriteName } from '../store/names.js';
import { normalisedStored } from '../store/parse-stored.js';
import { findReferrers, type Referrer, referenceClass } from '../store/references.js';
import type { Moment } from '../store/serials.js';
import type { Source } from '../store/sources.js';
import { loadStorageUse } from '../store/storage-use.js';
import type { Db, StoredObject } from '../store/stored-object.js';
import { assignKeys, bearersOf, type KeyAssignment, keyClaims } from './assign-keys.js';
import { keyCertsOf, readKeys } from './load-keys.js';
import { type Loaded, loadMore, nothingLoaded, type ObjectAddress } from './load-objects.js';
import type { Loading } from './loading.js';
import { governingNames, treeNames } from './tree-names.js';

/** The stored data on which a write is decided. `factsOf` makes the facts of each change from it. */
export interface LoadedFacts {
  readonly loaded: Loaded;
  /** One entry per change. */
  readonly surroundings: readonly Surroundings[];
  /** Keys of the key-certs that candidates for authorisation name; empty when the caller holds no keys. */
  readonly keys: KeyFingerprints;
  readonly assigned: KeyAssignment;
  readonly emailMarks: EmailMarks;
  /** Of a write that causes notifications. */
  readonly namedAddresses: NamedAddresses;
  /** How many bytes the possible payers of the write have stored, by `Payer.id`. */
  readonly storageUse: ReadonlyMap<string, number>;
  /** The state of the source before everything else was loaded. */
  readonly since: Moment;
  /** The names of everything that the decision depends on. */
  readonly read: readonly WriteName[];
}

/** The parts of a write that determine which facts it needs. */
export interface FactsRequest {
  readonly principal: Principal;
  /** IP address of the client; empty when unknown. */
  readonly clientAddress: string;
  readonly policy: Policy;
  readonly storageQuota: StorageQuota;
  /** Whether the write causes notifications. */
  readonly notifies: boolean;
  readonly now: Date;
}

/**
 * Loads the facts of a write in two round trips, rarely more: what the changes name and what is around new objects;
 * then what these name, handles, marks of addresses, and the storage of the possible payers. The statements see
 * different moments: the loaded data is consistent unless a name of `read` was written since.
 */
export async function loadFacts(
  db: Loading,
  source: Source,
  changes: readonly Prepared[],
  request: FactsRequest,
  held?: HeldNumbers,
): Promise<LoadedFacts> {
  const { principal, policy, storageQuota, notifies, now } = request;
  const sourceId = source.id;
  // Answers arrive in the order of the statements.
  const [since, named, around] = await together(
    db.moment(sourceId),
    loadMore(db, sourceId, nothingLoaded, changes.flatMap(namedObjects)),
    together(...changes.map((change) => loadAround(db, sourceId, change, changes.length, policy))),
  );
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
  // Only the next load finds the recipients of a deletion.
  const remaining = changes.filter((change) => change.verb !== 'delete');
  const emails = emailsOf(remaining, named);
  const addresses = notifies ? addedAddresses(remaining, named, principal) : [];
  const texts = remaining.map((change) => ({ object: change.object, stored: storedOf(change, named) }));
  const payers = possiblePayers(texts, request, storageQuota, now);
  const [loaded, surroundings, assigned, marks, storageUse, namedAddresses] = await together(
    loadMore(db, sourceId, named, further),
    together(
      ...changes.map((change, at) => withStored(db, sourceId, change, named, around[at]!, changes.length, policy)),
    ),
    assignKeys(db, source, changes, claims, named, held),
    emailMarks(db, emails),
    loadStorageUse(db, payers),
    addresses.length === 0
      ? Promise.resolve(noNamedAddresses)
      : findNamedAddresses(db, callerOf(request), addresses, now),
  );
  const consent = changes.flatMap((change, at) => laterObjects(change, surroundings[at]!));
  const later = emailsOf(changes, loaded).filter((address) => !emails.includes(address));
  const [candidates, laterMarks] = await together(loadMore(db, sourceId, loaded, consent), emailMarks(db, later));
  const withKeys = await loadMore(db, sourceId, candidates, keyCertsOf(candidates, principal));
  return {
    loaded: withKeys,
    surroundings,
    keys: readKeys(withKeys, principal),
    assigned,
    emailMarks: new Map([...marks, ...laterMarks]),
    namedAddresses,
    storageUse,
    since,
    read: [...withKeys.names, ...surroundings.flatMap(({ read }) => read), ...assigned.handles.map(nameOfNumber)],
  };
}

async function emailMarks(db: Loading, addresses: readonly string[]): Promise<EmailMarks> {
  return addresses.length === 0 ? new Map() : db.ask(loadEmailMarksOfAll, addresses);
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
export function targets(object: RpslObject): ObjectAddress[] {
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
    ...governing.flatMap((object) => mntners(object, 'mnt-by', 'mnt-lower', 'mnt-domains', 'mnt-routes')),
    ...added.flatMap(({ types, key }) => mntners(findKnown(objects, types, key), 'mnt-ref')),
    ...maintainers.flatMap((mntner) => contacts(mntner)),
    ...holders(relatedRanges),
  ];
}

/** The same for what is loaded with them: who must consent to a new name, and what encloses a stored network. */
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

/** Effectively no limit: the few rules that check all related ranges must not miss any. */
const everyRelatedRange = 1_000_000;
/** Maximum referrers of which a rule needs to know; the other changes of the write may remove some of them. */
const maxNeeded = 1_000;

/** Objects that refer to this one, as far as a rule needs them. */
async function loadReferrers(
  db: Db,
  sourceId: number,
  change: Prepared,
  stored: RpslObject | undefined,
  changes: number,
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
interface Around {
  readonly relatedRanges: RelatedRanges;
  /** The objects that enclose and govern it, on all levels: the same write may delete the closest one. */
  readonly governing: readonly RpslObject[];
  readonly read: readonly WriteName[];
}

/** Does not depend on the stored object of the key. Empty for other changes. */
async function loadAround(
  db: Db,
  sourceId: number,
  change: Prepared,
  changes: number,
  policy: Policy,
): Promise<Around> {
  const object = change.verb === 'create' ? change.object : undefined;
  const range = object && rangeOf(object);
  if (object === undefined || range === undefined) {
    return { relatedRanges: noRelatedRanges, governing: [], read: [] };
  }
  const isOwnType = change.type === 'inetnum' || change.type === 'inet6num';
  const others = isOwnType ? [] : (governingTypes[change.type] ?? []);
  const [related, ...governing] = await together(
    loadRelatedRanges(db, sourceId, change, undefined, changes, policy),
    ...others.map((type) => findEnclosing(db, sourceId, [type], [range], 'all')),
  );
  const governors = isOwnType
    ? related.ranges.enclosing
    : governing.flatMap(([found = []]) => found.map(normalisedStored));
  return {
    relatedRanges: related.ranges,
    governing: governors,
    read: [...related.read, ...governingNames(object), ...governors.map(nameOf)],
  };
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
): Promise<Surroundings & { readonly read: readonly WriteName[] }> {
  const stored = storedOf(change, named);
  const [{ referrers, read }, related] = await together(
    loadReferrers(db, sourceId, change, stored, changes),
    change.verb === 'create'
      ? Promise.resolve({ ranges: around.relatedRanges, read: around.read })
      : loadRelatedRanges(db, sourceId, change, stored, changes, policy),
  );
  return { referrers, relatedRanges: related.ranges, governing: around.governing, read: [...read, ...related.read] };
}

/** Objects of the same type that overlap with a new object; enclosing ones also for rules on inheritance. */
async function loadRelatedRanges(
  db: Db,
  sourceId: number,
  change: Prepared,
  stored: RpslObject | undefined,
  changes: number,
  policy: Policy,
): Promise<{ readonly ranges: RelatedRanges; readonly read: readonly WriteName[] }> {
  const object = change.verb === 'delete' ? stored : change.object;
  const range = object && rangeOf(object);
  const isAboutStatus = object !== undefined && hasHierarchy(object, policy) && needsStatuses(change, stored);
  const isAsked =
    change.verb === 'create' ||
    isAboutStatus ||
    (object && change.verb === 'update' && hasAttribute(object, 'abuse-c'));
  if (object === undefined || range === undefined || !isAsked) return { ranges: noRelatedRanges, read: [] };
  const { read } = treeNames(object);
  if (!treeTypes.includes(change.type)) return { ranges: noRelatedRanges, read };
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
