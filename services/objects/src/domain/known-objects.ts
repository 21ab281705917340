import { attributeTypes, listValues, type ObjectTypeName, type RpslObject } from '@cadastre/rpsl';

/** The loaded objects by type and folded key. A loaded key without an object does not exist. */
export type KnownObjects = ReadonlyMap<string, RpslObject>;

/** The map key of an object. */
export function objectName(type: ObjectTypeName, key: string): string {
  return `${type} ${key}`;
}

/** The first object among these types with this folded key. */
export function findKnown(known: KnownObjects, types: readonly ObjectTypeName[], key: string): RpslObject | undefined {
  for (const type of types) {
    const object = known.get(objectName(type, key));
    if (object !== undefined) return object;
  }
  return undefined;
}

/** The mntner of that name; ignores letter case. */
export function findMntner(known: KnownObjects, name: string): RpslObject | undefined {
  return findKnown(known, ['mntner'], name.toLowerCase());
}

/** The person or role of that nic-hdl; ignores letter case. */
export function findContact(known: KnownObjects, handle: string): RpslObject | undefined {
  return findKnown(known, ['person', 'role'], handle.toLowerCase());
}

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
