import type { RegistryObject } from '@cadastre/proto/registry';
import type { AbuseContact, FoundObject } from '@cadastre/proto/search';
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
import type { AbuseContactEntry, AttributeEntry, ObjectEntry } from './resource.js';

/** How to show an object. */
export interface ObjectView {
  /** Base of all links, without a final slash. */
  readonly base: string;
  /** Keeps the spaces, line ends and comments of values as submitted. */
  readonly unformatted: boolean;
  /** Shows the revision number, for single versions. */
  readonly asVersion?: boolean;
  readonly managed?: Managed;
}

/** What only the operator of the registry may change: attributes by name, and values of `mnt-by`. */
interface Managed {
  readonly attributes: readonly string[];
  readonly maintainers: readonly string[];
}

/** Returns `undefined` when the text is no object: a refused write may echo such a text. */
export function objectEntry(o: RegistryObject, view: ObjectView): ObjectEntry | undefined {
  const parsed = parseObject(o.text);
  if (!parsed.ok) return undefined;
  const { object } = parsed;
  const main = o.source.toLowerCase();
  const source = isNonAuthoritative(object, main) ? nonAuthoritativeName(main).toLowerCase() : main;
  const sourceLink = `${view.base}/${main}`;
  return {
    type: object.type,
    link: `${view.base}/${source}/${object.type}/${o.key}`,
    source,
    primaryKey: keyAttributesOf(object),
    attributes: marked(attributeEntries(object, o, sourceLink, view.unformatted), view.managed),
    tags: o.tags,
    ...(view.asVersion ? { version: o.revision } : {}),
    text: o.text,
  };
}

/** An object that a search found, with what the search says about it. `undefined` when its text is no object. */
export function foundEntry(found: FoundObject, view: ObjectView): ObjectEntry | undefined {
  const { object, resourceHolder, abuseContact, managed, managedAttributes, managedMaintainers, messages } = found;
  const onlyOperator = { attributes: managedAttributes, maintainers: managedMaintainers };
  const entry = object && objectEntry(object, { ...view, managed: onlyOperator });
  return (
    entry && {
      ...entry,
      ...(resourceHolder ? { resourceHolder: { key: resourceHolder.key, name: resourceHolder.name } } : {}),
      ...(abuseContact ? { abuseContact: abuseContactEntry(abuseContact) } : {}),
      ...(managed === undefined ? {} : { managed }),
      ...(messages.length > 0 ? { messages } : {}),
    }
  );
}

function abuseContactEntry({ key, email, suspect, orgId }: AbuseContact): AbuseContactEntry {
  return { key, email, suspect, ...(orgId === '' ? {} : { orgId }) };
}

function attributeEntries(
  object: RpslObject,
  o: RegistryObject,
  sourceLink: string,
  unformatted: boolean,
): AttributeEntry[] {
  const reference = (name: string, value: string) => referenceOf(object, o, sourceLink, name, value);
  if (unformatted) return object.attributes.map((attribute) => unformattedEntry(attribute, reference));
  const entries: AttributeEntry[] = [];
  for (const attribute of object.attributes) addFormatted(entries, attribute, reference);
  return entries;
}

function marked(entries: AttributeEntry[], managed: Managed | undefined): AttributeEntry[] {
  if (managed === undefined || managed.attributes.length + managed.maintainers.length === 0) return entries;
  return entries.map((entry) => (isManaged(entry, managed) ? { ...entry, managed: true } : entry));
}

/** An unformatted `mnt-by` may hold several values; one of the operator's is enough. */
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
  o: RegistryObject,
  sourceLink: string,
  name: string,
  value: string,
): AttributeEntry['reference'] {
  const target = linkOf(name, value, object.type);
  if (target === undefined) return undefined;
  if (target !== 'contact') return { type: target.type, href: `${sourceLink}/${target.type}/${target.key}` };
  const handle = value.toLowerCase();
  const contact = o.contacts.find((one) => one.nicHdl === handle);
  return contact && { type: contact.type, href: `${sourceLink}/${contact.type}/${value}` };
}
