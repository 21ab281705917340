import type { Message, RegistryObject, Tag } from '@cadastre/proto/registry';
import type { AbuseContact, FoundObject, SearchResponse, SourceContacts } from '@cadastre/proto/search';
import {
  type Attribute,
  attributeText,
  cleanComment,
  isNonAuthoritative,
  keyAttributesOf,
  linkOf,
  listValues,
  nonAuthoritativeName,
  parseObject,
  type RpslObject,
} from '@cadastre/rpsl';

/** An object of a document, in any format. Writers omit absent members. */
export interface ObjectEntry {
  /** Long name, lower case. */
  readonly type: string;
  readonly link: string;
  /** Source, lower case. */
  readonly source: string;
  readonly primaryKey: readonly { readonly name: string; readonly value: string }[];
  readonly attributes: readonly AttributeEntry[];
  readonly tags: readonly Tag[];
  readonly resourceHolder?: { readonly key: string; readonly name: string };
  readonly abuseContact?: AbuseContactEntry;
  /** Whether the operator of the registry co-maintains it; absent unless the client requested that. */
  readonly managed?: boolean;
  /** Messages about this object. */
  readonly messages?: readonly Message[];
  /** Revision number; only for a single version. */
  readonly version?: number;
  /** RPSL text, ends with LF. */
  readonly text: string;
}

/** A value of an attribute. */
export interface AttributeEntry {
  readonly name: string;
  readonly value: string;
  /** Type and URL of the object that the value names. */
  readonly reference?: { readonly type: string; readonly href: string };
  readonly comment?: string;
  /** Only the operator of the registry may change it. */
  readonly managed?: true;
}

/** Whom to write to about abuse. */
export interface AbuseContactEntry {
  /** Handle of the role. */
  readonly key: string;
  readonly email: string;
  /** Whether the mailbox is known to be broken. */
  readonly suspect: boolean;
  /** Organisation to contact instead. */
  readonly orgId?: string;
}

/** How to show an object. */
export interface ObjectView {
  /** Base of all links, without a final slash. */
  readonly base: string;
  /** Keeps the spaces, line ends and comments of values as submitted. */
  readonly unformatted: boolean;
  /** Shows the revision number, for single versions. */
  readonly asVersion?: boolean;
}

/** What only the operator of the registry may change: attributes by name, and values of `mnt-by`. */
interface Managed {
  readonly attributes: readonly string[];
  readonly maintainers: readonly string[];
}

/** The type of a contact by its handle in lower case; undefined for one that does not exist. */
type TypeOfContact = (handle: string) => string | undefined;

/** The types of contacts by their handles in lower case, of each source. */
export type ContactTypes = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The contacts that the objects of a page name; undefined for a page whose objects each have their own. */
export function contactTypesOf({ contacts }: Pick<SearchResponse, 'contacts'>): ContactTypes | undefined {
  return contacts && new Map(contacts.sources.map((source) => [source.source, typesOf(source)]));
}

function typesOf({ persons, roles }: SourceContacts): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  for (const handle of persons) types.set(handle, 'person');
  for (const handle of roles) types.set(handle, 'role');
  return types;
}

/** Returns `undefined` when the text is not an object: a refused write may return such a text. */
export function objectEntry(o: RegistryObject, view: ObjectView): ObjectEntry | undefined {
  return entryOf(o, view, (handle) => o.contacts.find(({ nicHdl }) => nicHdl === handle)?.type);
}

/** An object that a search found, with what the search adds to it. `undefined` when its text is not an object. */
export function foundEntry(found: FoundObject, view: ObjectView, contacts?: ContactTypes): ObjectEntry | undefined {
  const { object, resourceHolder, abuseContact, managed, managedAttributes, managedMaintainers, messages } = found;
  if (object === undefined) return undefined;
  const types = contacts?.get(object.source);
  const entry = contacts ? entryOf(object, view, (handle) => types?.get(handle)) : objectEntry(object, view);
  const isAnnotated = resourceHolder || abuseContact || managed !== undefined || messages.length > 0;
  if (entry === undefined || !isAnnotated) return entry;
  return {
    ...entry,
    attributes: marked(entry.attributes, { attributes: managedAttributes, maintainers: managedMaintainers }),
    ...(resourceHolder ? { resourceHolder: { key: resourceHolder.key, name: resourceHolder.name } } : {}),
    ...(abuseContact ? { abuseContact: abuseContactEntry(abuseContact) } : {}),
    ...(managed === undefined ? {} : { managed }),
    ...(messages.length > 0 ? { messages } : {}),
  };
}
function abuseContactEntry({ key, email, suspect, orgId }: AbuseContact): AbuseContactEntry {
  return { key, email, suspect, ...(orgId === '' ? {} : { orgId }) };
}

function entryOf(o: RegistryObject, view: ObjectView, typeOfContact: TypeOfContact): ObjectEntry | undefined {
  const parsed = parseObject(o.text);
  if (!parsed.ok) return undefined;
  const { object } = parsed;
  const main = o.source.toLowerCase();
  const source = isNonAuthoritative(object, main) ? nonAuthoritativeName(main).toLowerCase() : main;
  const entry = {
    type: object.type,
    link: `${view.base}/${source}/${object.type}/${o.key}`,
    source,
    primaryKey: keyAttributesOf(object),
    attributes: attributeEntries(object, view.unformatted, `${view.base}/${main}`, typeOfContact),
    tags: o.tags,
    text: o.text,
  };
  return view.asVersion ? { ...entry, version: o.revision } : entry;
}

function attributeEntries(
  object: RpslObject,
  unformatted: boolean,
  sourceLink: string,
  typeOfContact: TypeOfContact,
): AttributeEntry[] {
  const reference = (name: string, value: string) => referenceOf(object, sourceLink, typeOfContact, name, value);
  if (unformatted) return object.attributes.map((attribute) => unformattedEntry(attribute, reference));
  const entries: AttributeEntry[] = [];
  for (const attribute of object.attributes) addFormatted(entries, attribute, reference);
  return entries;
}

function marked(entries: readonly AttributeEntry[], managed: Managed): readonly AttributeEntry[] {
  if (managed.attributes.length + managed.maintainers.length === 0) return entries;
  return entries.map((entry) => (isManaged(entry, managed) ? { ...entry, managed: true } : entry));
}

/** An unformatted `mnt-by` may hold several values; one mntner of the operator is enough. */
function isManaged({ name, value }: AttributeEntry, { attributes, maintainers }: Managed): boolean {
  if (attributes.includes(name)) return true;
  return name === 'mnt-by' && listValues({ name, raw: value }).some((one) => maintainers.includes(one));
}

type ReferenceOf = (name: string, value: string) => AttributeEntry['reference'];

/** Splits lists into one entry per value, each with the comment of the whole attribute. */
function addFormatted(entries: AttributeEntry[], attribute: Attribute, referenceTo: ReferenceOf): void {
  const { name } = attribute;
  const comment = cleanComment(attribute);
  for (const value of listValues(attribute)) {
    const reference = referenceTo(name, value);
    if (reference === undefined && comment === undefined) entries.push({ name, value });
    else entries.push({ name, value, ...(reference && { reference }), ...(comment !== undefined && { comment }) });
  }
}

/** One entry per attribute, with the text after the colon. Links only an attribute with exactly one value. */
function unformattedEntry(attribute: Attribute, referenceTo: ReferenceOf): AttributeEntry {
  const { name } = attribute;
  const [value, ...more] = listValues(attribute);
  const reference = more.length === 0 && value !== undefined ? referenceTo(name, value) : undefined;
  return { name, value: attributeText(attribute), ...(reference === undefined ? {} : { reference }) };
}

function referenceOf(
  object: RpslObject,
  sourceLink: string,
  typeOfContact: TypeOfContact,
  name: string,
  value: string,
): AttributeEntry['reference'] {
  const target = linkOf(name, value, object.type);
  if (target === undefined) return undefined;
  if (target !== 'contact') return { type: target.type, href: `${sourceLink}/${target.type}/${target.key}` };
  const type = typeOfContact(value.toLowerCase());
  return type === undefined ? undefined : { type, href: `${sourceLink}/${type}/${value}` };
}
