import { attributeTypes, listValues, type RpslObject } from '@cadastre/rpsl';
import { findContact, type KnownObjects } from './known-objects.js';

/** A person or role that an object refers to. */
export interface NamedContact {
  /** Folded. */
  readonly nicHdl: string;
  readonly type: 'person' | 'role';
}

const contactAttributes: ReadonlySet<string> = new Set(
  attributeTypes.filter((one) => one.references.includes('person')).map((one) => one.name),
);

/** The handles (lower case) of the persons and roles that an object refers to. */
export function contactHandles(object: Pick<RpslObject, 'attributes'>): string[] {
  const named = object.attributes.filter((attribute) => contactAttributes.has(attribute.name));
  return [...new Set(named.flatMap(listValues).map((handle) => handle.toLowerCase()))];
}

/** The contacts of an object among the known objects. */
export function knownContacts(object: RpslObject, known: KnownObjects): NamedContact[] {
  return contactHandles(object).flatMap((nicHdl) => {
    const contact = findContact(known, nicHdl);
    return contact === undefined ? [] : [{ nicHdl, type: contact.type as NamedContact['type'] }];
  });
}
