import {
  firstValueOf,
  formatRange,
  hasAttribute,
  isPerson,
  type ObjectTypeName,
  type RpslObject,
  reverseDomainRange,
} from '@cadastre/rpsl';
import { entityTypes, referencedBy, relatedKey } from './contacts.js';
import { document, type Parts } from './document.js';
import type { Document, IpNetwork } from './documents.js';
import { loadHoldings } from './holdings.js';
import { contactCard } from './jcard.js';
import { ipNetwork } from './network.js';
import type { FindObject, ObjectSource, TypeAndKey } from './object-source.js';
import {
  type Nested,
  type Registry,
  type Related,
  type Requested,
  type Stored,
  type StoredText,
  storedOf,
} from './registry.js';

/** The answer for which documents are made. */
export interface Showing {
  readonly source: ObjectSource;
  readonly registry: Registry;
  readonly requested: Requested;
  /** Whether a contact may be shown with more than its handle. */
  readonly mayShow: (contact: Stored) => boolean;
}

/**
 * Maximum JSON of contacts in one answer. Any account may create one of a megabyte, and a hundred documents may show it.
 */
const maxContactCharacters = 1024 * 1024;

/** Limits the size of the contacts that all documents of an answer show. */
export function withRoom(mayShow: Showing['mayShow']): Showing['mayShow'] {
  let left = maxContactCharacters;
  return (contact) => {
    const { characters } = contact.card ?? contactCard(contact);
    if (characters > left || !mayShow(contact)) return false;
    left -= characters;
    return true;
  };
}

/** An object to show, with the data that is already available. */
export interface FoundObject extends Pick<Parts, 'showEmail' | 'relations' | 'namesakes'> {
  readonly object: StoredText;
  /** Shows the networks and AS numbers of an organisation. */
  readonly showHoldings?: boolean;
  /** The nearest network around it; null when there is none, undefined when it must be looked up. */
  readonly parent?: StoredText | null | undefined;
  /** Of a domain: the network of its addresses; null when there is none, undefined when it must be looked up. */
  readonly network?: StoredText | null | undefined;
}

/** A document, and its dependencies. */
export interface LoadedDocument {
  readonly nested: Nested<Document>;
  /** Whether it has all its parts in their current state; otherwise it must not be cached. */
  readonly isWhole: boolean;
  /** The persons that it shows inside other objects. */
  persons(): Stored[];
  /** The objects that it shows or refers to. A change of one changes it. */
  objects(): TypeAndKey[];
  /**
   * The types of objects that may change it: of the types of networks and zones those that overlap with its object, of
   * the others all.
   */
  readonly types: readonly ObjectTypeName[];
}

/**
 * Loads the documents of objects, in order, with what they show: entities, abuse contacts, parents. Undefined for an
 * object that RDAP does not support. One or a hundred objects need the same number of requests, two of them one after
 * the other, if the source batches them.
 */
export function loadDocuments(
  showing: Showing,
  found: readonly FoundObject[],
): Promise<(LoadedDocument | undefined)[]> {
  return Promise.all(found.map((one) => loadDocument(showing, one)));
}

async function loadDocument(
  showing: Showing,
  { object, parent, network, showHoldings = false, ...parts }: FoundObject,
): Promise<LoadedDocument | undefined> {
  const { source, registry, requested, mayShow } = showing;
  await source.slice(object.text.length);
  const stored = storedOf(object);
  if (stored === undefined) return undefined;
  const hasHoldings = showHoldings && stored.object.type === 'organisation';
  const shown: TypeAndKey[] = [];
  const find: FindObject = (type, key) => {
    shown.push({ type, key });
    return source.find(type, key);
  };
  const [objects, abuse, parentKey, around, holdings] = await Promise.all([
    relatedObjects(stored, find),
    abuseContact(source, find, stored, parent === null ? null : parent?.key),
    parent === undefined ? parentKeyOf(source, stored) : parent?.key,
    networkOf(showing, find, stored, network),
    hasHoldings ? loadHoldings(source, stored) : {},
  ]);
  await source.slice(object.text.length);
  const withheld = withheldIn(mayShow, objects);
  const nested = document(registry, requested, stored, {
    ...parts,
    ...holdings,
    related: { objects, withheld, ...(abuse.role && { abuse: abuse.role }) },
    ...(parentKey !== undefined && { parentKey }),
    ...(around && { network: around.nested }),
  });
  // The index of holdings is updated later than the objects.
  const isWhole = abuse.isKnown && !hasHoldings && withheld.size === 0 && around?.isWhole !== false;
  return (
    nested && {
      ...{ nested, isWhole },
      persons: () => [objects, around?.objects].flatMap(personsIn),
      objects: () => [...namesakesOf(stored), ...shown],
      types: surroundingTypes[stored.object.type] ?? [],
    }
  );
}

/** The contacts that are shown with their handles only. Calls `mayShow` once for each: it may count. */
function withheldIn(mayShow: Showing['mayShow'], objects: Related['objects']): ReadonlySet<Stored> {
  const withheld = new Set<Stored>();
  for (const one of objects.values()) if (!mayShow(one)) withheld.add(one);
  return withheld;
}

function personsIn(objects: Related['objects'] | undefined): Stored[] {
  return [...(objects?.values() ?? [])].filter(({ object }) => isPerson(object));
}

/** The types whose objects determine the abuse contact of a resource, besides those around the resource. */
const typesOfAbuseContacts: readonly ObjectTypeName[] = ['organisation', 'role'];

/** The types whose objects determine the nearest one, by the type of an object. */
const surroundingTypes: { readonly [type in ObjectTypeName]?: readonly ObjectTypeName[] } = {
  inetnum: ['inetnum', ...typesOfAbuseContacts],
  inet6num: ['inet6num', ...typesOfAbuseContacts],
  'aut-num': typesOfAbuseContacts,
  domain: ['domain', 'inetnum', 'inet6num'],
};

/** The object itself; for an entity, others with its handle too. */
function namesakesOf({ key, object: { type } }: Stored): TypeAndKey[] {
  const namesakes = entityTypes.includes(type) ? entityTypes : [type];
  return namesakes.map((one) => ({ type: one, key }));
}

async function relatedObjects(stored: Stored, find: FindObject): Promise<Related['objects']> {
  const objects = new Map<string, Stored>();
  const lookups: Promise<void>[] = [];
  for (const { types, key } of referencedBy(stored)) {
    for (const type of types) {
      const add = (one: Stored | undefined) => void (one && objects.set(relatedKey(type, key), one));
      const found = find(type, key);
      // Most are in memory, and a promise costs more than these.
      if (found instanceof Promise) lookups.push(found.then(add));
      else add(found);
    }
  }
  if (lookups.length > 0) await Promise.all(lookups);
  return objects;
}

/** A role with an abuse mailbox. */
interface AbuseContact {
  readonly role?: Stored | undefined;
  /** False while it cannot be known: then the document lacks the contact. */
  readonly isKnown: boolean;
}

const withAbuseContact: ReadonlySet<string> = new Set(['inetnum', 'inet6num', 'aut-num']);

async function abuseContact(
  { abuseContactOf }: ObjectSource,
  find: FindObject,
  stored: Stored,
  parentKey: string | null | undefined,
): Promise<AbuseContact> {
  const { object } = stored;
  if (object.type === 'organisation') return { role: await ownAbuseContact(object, find), isKnown: true };
  if (!withAbuseContact.has(object.type)) return { isKnown: true };
  const contact = await abuseContactOf(stored, object.type === 'aut-num' ? null : parentKey, find);
  return { role: contact?.role, isKnown: contact !== undefined };
}

/** The role that an organisation names as its abuse contact. */
async function ownAbuseContact(organisation: RpslObject, find: FindObject): Promise<Stored | undefined> {
  const key = firstValueOf(organisation, 'abuse-c');
  const role = key === undefined ? undefined : await find('role', key);
  return role && hasAttribute(role.object, 'abuse-mailbox') ? role : undefined;
}

async function parentKeyOf({ parentOf }: ObjectSource, { key, object: { type } }: Stored): Promise<string | undefined> {
  return type === 'inetnum' || type === 'inet6num' ? (await parentOf(key))?.key : undefined;
}

/** The network of the addresses of a zone. */
interface ZoneNetwork {
  readonly nested: Nested<IpNetwork> | undefined;
  readonly objects: Related['objects'];
  readonly isWhole: boolean;
}

async function networkOf(
  { source, registry, requested, mayShow }: Showing,
  find: FindObject,
  { key, object: { type } }: Stored,
  known: FoundObject['network'],
): Promise<ZoneNetwork | undefined> {
  if (type !== 'domain' || known === null) return undefined;
  const range = reverseDomainRange(key);
  const [nearest, around] = known || range === undefined ? [known] : await source.networksAround(formatRange(range));
  const stored = nearest && storedOf(nearest);
  if (stored === undefined) return undefined;
  const [objects, parentKey] = await Promise.all([
    relatedObjects(stored, find),
    known ? parentKeyOf(source, stored) : around?.key,
  ]);
  const withheld = withheldIn(mayShow, objects);
  const parts = { related: { objects, withheld }, ...(parentKey !== undefined && { parentKey }) };
  return { nested: ipNetwork(registry, requested, stored, parts), objects, isWhole: withheld.size === 0 };
}
