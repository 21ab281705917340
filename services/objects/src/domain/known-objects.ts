import type { ObjectTypeName, RpslObject } from '@cadastre/rpsl';

/** Objects by type and folded key. What is not in it does not exist, as far as it was looked for. */
export type KnownObjects = ReadonlyMap<string, RpslObject>;

/** The name under which an object is known. */
export function objectName(type: ObjectTypeName, key: string): string {
  return `${type} ${key}`;
}

/** The first object among these types that bears the (folded) key. */
export function findKnown(known: KnownObjects, types: readonly ObjectTypeName[], key: string): RpslObject | undefined {
  for (const type of types) {
    const object = known.get(objectName(type, key));
    if (object !== undefined) {
      return object;
    }
  }
  return undefined;
}

/** The mntner of that name, in any letter case. */
export function findMntner(known: KnownObjects, name: string): RpslObject | undefined {
  return findKnown(known, ['mntner'], name.toLowerCase());
}

/** The person or role of that nic-hdl, in any letter case. */
export function findContact(known: KnownObjects, handle: string): RpslObject | undefined {
  return findKnown(known, ['person', 'role'], handle.toLowerCase());
}
