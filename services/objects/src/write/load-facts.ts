import { type ObjectTypeName, type RpslObject, referencesOf, valuesOf } from '@cadastre/rpsl';
import { together } from '@cadastre/service';
import { callerOf, type KeyFingerprints, ownAddressOf, type Principal } from '../domain/authenticate.js';
import { addedReferences } from '../domain/authorisation/references.js';
import { mayAskOperator } from '../domain/authorise.js';
import type { Prepared, Wellformed } from '../domain/change.js';
import type { RelatedRanges, Surroundings } from '../domain/facts.js';
import { setParent } from '../domain/governing.js';
import { contactHandles, findKnown, objectName } from '../domain/known-objects.js';
import { type EmailMarks, type NamedAddresses, noNamedAddresses, notifiedAddresses } from '../domain/mail-address.js';
import { parseMntRoutes } from '../domain/mnt-routes.js';
import { ruledEmails } from '../domain/notified-emails.js';
import { operatorsOf, type Policy } from '../domain/policy.js';
import { possiblePayers, type StorageQuota } from '../domain/storage-quota.js';
import { loadEmailMarksOfAll } from '../store/email-marks.js';
import type { HeldNumbers } from '../store/handles.js';
import { findNamedAddresses } from '../store/mail-addresses.js';
import { nameOfNumber, type WriteName } from '../store/names.js';
import type { Moment } from '../store/serials.js';
import type { Source } from '../store/sources.js';
import { loadStorageUse } from '../store/storage-use.js';
import { assignKeys, holdersOfHandle, type KeyAssignment } from './assign-keys.js';
import {
  addressOf,
  keyCertsOf,
  type Loaded,
  loadMore,
  nothingLoaded,
  type ObjectAddress,
  readKeys,
} from './load-objects.js';
import { type Around, loadAround, loadSurroundings } from './load-surroundings.js';
import type { Loading } from './loading.js';

/** The stored data on which a write is decided. `factsOf` makes the facts of each change from it. */
export interface LoadedFacts {
  /** What the write does. */
  readonly changes: readonly Prepared[];
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
 * then what these name, handles, marks of addresses, and the storage of the possible payers. A `put` needs one more
 * before, for whether its object exists. The statements see different moments: the loaded data is consistent unless a
 * name of `read` was written since.
 */
export async function loadFacts(
  db: Loading,
  source: Source,
  wellformed: readonly Wellformed[],
  request: FactsRequest,
  held?: HeldNumbers,
): Promise<LoadedFacts> {
  const { principal, policy, storageQuota, notifies, now } = request;
  const load = (loaded: Loaded, addresses: readonly ObjectAddress[]) => loadMore(db, source.id, loaded, addresses);
  const puts = wellformed.filter(({ verb }) => verb === 'put').map(itself);
  const first = puts.length === 0 ? undefined : await together(db.moment(source.id), load(nothingLoaded, puts));
  const changes = wellformed.map((change) => withAction(change, first?.[1]));
  const scope = { db, sourceId: source.id, policy, changes: changes.length };
  // Answers arrive in the order of the statements.
  const [since, named, around] = await together(
    first === undefined ? db.moment(source.id) : Promise.resolve(first[0]),
    load(first?.[1] ?? nothingLoaded, changes.flatMap(namedObjects)),
    together(...changes.map((change) => loadAround(scope, change))),
  );
  const further = [
    ...changes.flatMap((change, index) => furtherObjects(change, named, around[index]!)),
    ...(changes.some((change) => mayAskOperator(change, policy)) ? operatorsOf(policy) : []),
  ];
  // Only the next load finds the recipients of a deletion.
  const remaining = changes.filter((change) => change.verb !== 'delete');
  const emails = emailsOf(remaining, named);
  const addresses = notifies ? addedAddresses(remaining, named, principal) : [];
  const texts = remaining.map((change) => ({ object: change.object, stored: storedOf(change, named) }));
  const payers = possiblePayers(texts, request, storageQuota, now);
  const [loaded, surroundings, assigned, marks, storageUse, namedAddresses] = await together(
    load(named, further),
    together(...changes.map((change, at) => loadSurroundings(scope, change, storedOf(change, named), around[at]!))),
    assignKeys(db, { source, policy, changes, named, held }),
    emailMarks(db, emails),
    loadStorageUse(db, payers),
    addresses.length === 0
      ? Promise.resolve(noNamedAddresses)
      : findNamedAddresses(db, callerOf(request), addresses, now),
  );
  const consent = changes.flatMap((change, at) => laterObjects(change, surroundings[at]!));
  const later = emailsOf(changes, loaded).filter((address) => !emails.includes(address));
  const [candidates, laterMarks] = await together(load(loaded, consent), emailMarks(db, later));
  const withKeys = await load(candidates, keyCertsOf(candidates, principal));
  return {
    changes,
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

/** Updates what is stored, and creates what is not. */
function withAction(change: Wellformed, stored: Loaded | undefined): Prepared {
  if (change.verb === 'delete') return change;
  const action = stored?.objects.has(objectName(change.type, change.key.folded)) ? 'update' : 'create';
  return { ...change, verb: change.verb === 'put' ? action : change.verb };
}

function itself({ type, key }: Wellformed): ObjectAddress {
  return { type, key: key.folded };
}

async function emailMarks(db: Loading, addresses: readonly string[]): Promise<EmailMarks> {
  return addresses.length === 0 ? new Map() : db.ask(loadEmailMarksOfAll, addresses);
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
  if (change.verb === 'delete') return [itself(change)];
  const parent = setParent(change.type, change.key.shown);
  const origins = change.verb === 'create' ? addresses(change.object, ['aut-num'], 'origin') : [];
  const holders = change.verb === 'create' ? holdersOfHandle(change) : [];
  return [itself(change), ...holders, ...targets(change.object), ...origins, ...(parent === undefined ? [] : [parent])];
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
    ...maintainers.flatMap((mntner) => addresses(mntner, ['person', 'role'], 'admin-c', 'tech-c')),
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

function mntners(object: RpslObject | undefined, ...attributes: string[]): ObjectAddress[] {
  return object === undefined ? [] : addresses(object, ['mntner'], ...attributes);
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

/** The reply to a deletion shows which of them are persons. */
function shownContacts(object: RpslObject): ObjectAddress[] {
  return contactHandles(object).flatMap((key) => (['person', 'role'] as const).map((type) => ({ type, key })));
}
