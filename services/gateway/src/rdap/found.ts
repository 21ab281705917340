import type { RegistryObject } from '@cadastre/proto/registry';
import {
  contactCard,
  type Document,
  document,
  entityTypes,
  type IpNetwork,
  ipNetwork,
  type Nested,
  type Parts,
  type Registry,
  type Related,
  referencedBy,
  relatedKey,
  type Stored,
  storedOf,
} from '@cadastre/rdap';
import {
  firstValueOf,
  foldKey,
  formatRange,
  hasAttribute,
  isPerson,
  type ObjectTypeName,
  type RpslObject,
  reverseDomainRange,
} from '@cadastre/rpsl';
import { createSlices, ServiceError, type Slice } from '@cadastre/service';
import type { FastifyReply } from 'fastify';
import { readCall } from '../backends/call-options.js';
import { type ObjectName, objectName, typeName } from '../backends/lookup-cache.js';
import type { FindObject } from '../backends/object-cache.js';
import type { Context } from '../context.js';
import { type CountContact, contactName } from '../limits/personal-objects.js';
import { clientGone } from '../reply/reply-end.js';
import type { RouteRequest } from '../route.js';
import { holdingsOf } from './holdings.js';
import { registryOf, requestUrl } from './registry.js';

/** The request for which the documents are made. */
interface Showing {
  readonly registry: Registry;
  /** The URL of the request. */
  readonly url: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** The client, for services that share their work among clients. */
  readonly client: string;
  /** For calls to services. */
  readonly call: ReturnType<typeof readCall>;
  /** Whether a contact may be shown with more than its handle. */
  readonly mayShow: CountContact;
  /** Charges the client for an object that was read for its documents. */
  readonly chargeFor: (read: Stored) => void;
}

/** Results of searches show only handles and links of the persons inside other objects. */
const noPersons: CountContact = ({ object }) => !isPerson(object);

/**
 * Maximum JSON of contacts in one reply. Any account may create one of a megabyte, and a hundred documents may show it.
 */
const maxContactCharacters = 1024 * 1024;

/** Limits the size of the contacts that a reply shows. */
function withRoom(mayShow: CountContact): CountContact {
  let left = maxContactCharacters;
  return (contact) => {
    const { characters } = contact.card ?? contactCard(contact);
    if (characters > left || !mayShow(contact)) return false;
    left -= characters;
    return true;
  };
}

/** The documents of a request. */
export function showingFor(
  context: Context,
  request: RouteRequest,
  reply: FastifyReply,
  mayShow: CountContact = noPersons,
): Showing {
  return {
    mayShow: withRoom(mayShow),
    chargeFor: (read) => context.limiter.charge(request.limitedClient, 'bytes', charactersOf(read)),
    registry: registryOf(context, request),
    url: requestUrl(request),
    signal: clientGone(reply),
    client: request.limitedClient.id,
    call: readCall(context, request),
  };
}

function charactersOf({ object }: Stored): number {
  return object.attributes.reduce((sum, { raw }) => sum + raw.length, 0);
}

/** An object to show, with the data that is already available. */
export interface Found extends Pick<Parts, 'showEmail' | 'relations' | 'namesakes'> {
  readonly object: RegistryObject;
  /** Shows the networks and AS numbers of an organisation. */
  readonly showHoldings?: boolean;
  /** The nearest network around it; null when there is none, undefined when it must be looked up. */
  readonly parent?: RegistryObject | null | undefined;
  /** Of a domain: the network of its addresses; null when there is none, undefined when it must be looked up. */
  readonly network?: RegistryObject | null | undefined;
}

/** A document, and its dependencies. */
interface Shown {
  readonly nested: Nested<Document>;
  /** Whether it has all its parts in their current state; otherwise it must not be cached. */
  readonly isWhole: boolean;
  /** The persons that it shows inside other objects, by name. */
  contacts(): string[];
  /**
   * The objects whose changes change it: those that it shows or refers to, and the types of which it shows the nearest
   * object.
   */
  madeOf(): ObjectName[];
}

type Showers = Pick<
  Context,
  'findNetworks' | 'findParent' | 'abuseContactCache' | 'objectCache' | 'lookUpPage' | 'pageTurn' | 'search'
>;

/**
 * The documents of objects, in order, with entities, abuse contacts and parents; undefined for an object that RDAP does
 * not support. One or a hundred objects need the same number of calls to other services, two of them one after the
 * other: their requests are batched. Throws a ServiceError.
 */
export function showFound(context: Showers, showing: Showing, found: readonly Found[]): Promise<(Shown | undefined)[]> {
  const slice = createSlices(() => context.pageTurn(showing.client));
  return Promise.all(found.map((one) => show(context, showing, one, slice)));
}

async function show(
  context: Showers,
  showing: Showing,
  { object, parent, network, showHoldings = false, ...parts }: Found,
  slice: Slice,
): Promise<Shown | undefined> {
  const { find } = context.objectCache;
  await slice(object.text.length);
  const stored = storedOf(object);
  if (stored === undefined) return undefined;
  const { registry, url, signal } = showing;
  const hasHoldings = showHoldings && stored.object.type === 'organisation';
  const shown: { readonly type: ObjectTypeName; readonly key: string }[] = [];
  const findNoted: FindObject = (type, key) => {
    shown.push({ type, key });
    const one = find(type, key);
    if (!(one instanceof Promise)) return one;
    return one.then((read) => {
      if (read) showing.chargeFor(read);
      return read;
    });
  };
  const [objects, abuse, parentKey, around, holdings] = await Promise.all([
    relatedObjects(stored, findNoted),
    abuseContact(context, stored, parent === null ? null : parent?.key, findNoted, signal),
    parent === undefined ? parentKeyOf(context, stored, signal) : parent?.key,
    networkOf(context, showing, findNoted, stored, network),
    hasHoldings ? holdingsOf(context, showing, stored) : {},
  ]);
  await slice(object.text.length);
  const withheld = withheldIn(showing, objects);
  const nested = document(registry, { url }, stored, {
    ...parts,
    ...holdings,
    related: { objects, withheld, ...(abuse.role && { abuse: abuse.role }) },
    ...(parentKey !== undefined && { parentKey }),
    ...(around && { network: around.nested }),
  });
  const madeOf = () => [...namesOf(stored), ...shown.map(({ type, key }) => nameOf(stored.source, type, key))];
  // The index of holdings is updated later than the cache.
  const isWhole = abuse.isKnown && !hasHoldings && withheld.size === 0 && around?.isWhole !== false;
  return nested && { nested, isWhole, contacts: () => personsIn(objects, around?.objects), madeOf };
}

/** The contacts that are shown with their handles only. Counts the persons among the others. */
function withheldIn({ mayShow }: Showing, objects: Related['objects']): ReadonlySet<Stored> {
  const withheld = new Set<Stored>();
  for (const one of objects.values()) if (!mayShow(one)) withheld.add(one);
  return withheld;
}

function personsIn(...all: (Related['objects'] | undefined)[]): string[] {
  const persons = all.flatMap((objects) => [...(objects?.values() ?? [])]).filter(({ object }) => isPerson(object));
  return [...new Set(persons.map(contactName))];
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

/**
 * The names whose changes change the document of an object, besides those to which it refers; for an entity, others
 * with its handle too.
 */
function namesOf({ source, key, object: { type } }: Stored): ObjectName[] {
  const types = surroundingTypes[type] ?? [];
  const namesakes = entityTypes.includes(type) ? entityTypes : [type];
  return [...types.map((one) => typeName(source, one)), ...namesakes.map((one) => nameOf(source, one, key))];
}

function nameOf(source: string, type: ObjectTypeName, key: string): ObjectName {
  return objectName(source, type, foldKey(type, key));
}

async function relatedObjects(stored: Stored, find: FindObject): Promise<Related['objects']> {
  const objects = new Map<string, Stored>();
  const requested: Promise<void>[] = [];
  for (const { types, key } of referencedBy(stored)) {
    for (const type of types) {
      const add = (one: Stored | undefined) => void (one && objects.set(relatedKey(type, key), one));
      const found = find(type, key);
      // Most are cached, and a promise costs more than these.
      if (found instanceof Promise) requested.push(found.then(add));
      else add(found);
    }
  }
  if (requested.length > 0) await Promise.all(requested);
  return objects;
}

/** A role with an abuse mailbox. */
interface AbuseContact {
  readonly role?: Stored | undefined;
  /** False while geo is unavailable: then the document lacks the contact, but the request succeeds. */
  readonly isKnown: boolean;
}

const withAbuseContact: ReadonlySet<string> = new Set(['inetnum', 'inet6num', 'aut-num']);

async function abuseContact(
  { abuseContactCache }: Showers,
  stored: Stored,
  parentKey: string | null | undefined,
  find: FindObject,
  signal: AbortSignal,
): Promise<AbuseContact> {
  const { object } = stored;
  if (object.type === 'organisation') return { role: await ownAbuseContact(object, find), isKnown: true };
  if (!withAbuseContact.has(object.type)) return { isKnown: true };
  try {
    const handle = await abuseContactCache.find(stored, object.type === 'aut-num' ? null : parentKey, signal);
    return { role: handle === undefined ? undefined : await find('role', handle), isKnown: true };
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'unavailable') return { isKnown: false };
    throw error;
  }
}

/** The role that an organisation names as its abuse contact. */
async function ownAbuseContact(organisation: RpslObject, find: FindObject): Promise<Stored | undefined> {
  const key = firstValueOf(organisation, 'abuse-c');
  const role = key === undefined ? undefined : await find('role', key);
  return role && hasAttribute(role.object, 'abuse-mailbox') ? role : undefined;
}

async function parentKeyOf(
  { findParent }: Showers,
  { key, object: { type } }: Stored,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (type !== 'inetnum' && type !== 'inet6num') return undefined;
  const [parent] = await findParent(key, signal);
  return parent?.key;
}

/** The network of the addresses of a zone. */
interface Around {
  readonly nested: Nested<IpNetwork> | undefined;
  readonly objects: Related['objects'];
  readonly isWhole: boolean;
}

async function networkOf(
  context: Showers,
  showing: Showing,
  find: FindObject,
  { key, object: { type } }: Stored,
  known: Found['network'],
): Promise<Around | undefined> {
  const { registry, url, signal } = showing;
  if (type !== 'domain' || known === null) return undefined;
  const range = reverseDomainRange(key);
  const [nearest, around] =
    known || range === undefined ? [known] : await context.findNetworks(formatRange(range), signal);
  const stored = nearest && storedOf(nearest);
  if (stored === undefined) return undefined;
  const [objects, parentKey] = await Promise.all([
    relatedObjects(stored, find),
    known ? parentKeyOf(context, stored, signal) : around?.key,
  ]);
  const withheld = withheldIn(showing, objects);
  const parts = { related: { objects, withheld }, ...(parentKey !== undefined && { parentKey }) };
  return { nested: ipNetwork(registry, { url }, stored, parts), objects, isWhole: withheld.size === 0 };
}
