import type { RegistryObject } from '@cadastre/proto/registry';
import {
  type Attribute,
  attributeText,
  cleanComment,
  keyAttributesOf,
  linkOf,
  listValues,
  parseObject,
  type RpslObject,
} from '@cadastre/rpsl';
import type { AttributeEntry, ObjectEntry } from './resource.js';

/** How an object shall be shown. */
export interface ObjectView {
  /** Base of all links, without a final slash. */
  readonly base: string;
  /** Values with their spacing, line ends and comments as submitted. */
  readonly unformatted: boolean;
  /** Show the revision number: for single versions. */
  readonly asVersion?: boolean;
  /** Names of the attributes that only the operator of the registry may change. */
  readonly managed?: readonly string[];
}

/** An object as answers show it; `undefined` when its text is no object (a refused write may echo such a thing). */
export function objectEntry(o: RegistryObject, view: ObjectView): ObjectEntry | undefined {
  const parsed = parseObject(o.text);
  if (!parsed.ok) return undefined;
  const { object } = parsed;
  const source = o.source.toLowerCase();
  const sourceLink = `${view.base}/${source}`;
  return {
    type: object.type,
    link: `${sourceLink}/${object.type}/${o.key}`,
    source,
    primaryKey: keyAttributesOf(object),
    attributes: marked(attributeEntries(object, o, sourceLink, view.unformatted), view.managed ?? []),
    tags: o.tags,
    ...(view.asVersion ? { version: o.revision } : {}),
    text: o.text,
  };
}

function attributeEntries(
  object: RpslObject,
  o: RegistryObject,
  sourceLink: string,
  unformatted: boolean,
): AttributeEntry[] {
  const reference = (name: string, value: string) => referenceOf(object, o, sourceLink, name, value);
  return unformatted
    ? object.attributes.map((attribute) => unformattedEntry(attribute, reference))
    : object.attributes.flatMap((attribute) => formattedEntries(attribute, reference));
}

function marked(entries: AttributeEntry[], managed: readonly string[]): AttributeEntry[] {
  if (managed.length === 0) return entries;
  return entries.map((entry) => (managed.includes(entry.name) ? { ...entry, managed: true } : entry));
}

type ReferenceOf = (name: string, value: string) => AttributeEntry['reference'];

/** One entry per value; lists are split and the comment is repeated on each. */
function formattedEntries(attribute: Attribute, referenceTo: ReferenceOf): AttributeEntry[] {
  const { name } = attribute;
  const comment = cleanComment(attribute);
  return listValues(attribute).map((value) => {
    const reference = referenceTo(name, value);
    return {
      name,
      value,
      ...(reference === undefined ? {} : { reference }),
      ...(comment === undefined ? {} : { comment }),
    };
  });
}

/** One entry per attribute, with what stands after the colon; the link only where there is exactly one value. */
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
