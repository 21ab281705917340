import type { ObjectKey } from '@cadastre/proto/registry';
import { firstValueOf, foldKey, type ObjectTypeName, type RpslObject } from '@cadastre/rpsl';

/** An object as it is registered. */
export interface Registered {
  /** Source in upper case, type, key as it stands in the object. */
  readonly id: ObjectKey;
  readonly object: RpslObject;
}

/** An object, or what is registered for a resource, followed by the objects that enclose it: the nearest first. */
export type Lineage = readonly [Registered, ...Registered[]];

/** Finds a referenced object among those that were loaded; a dangling reference finds nothing. */
export type Find = (reference: ObjectKey) => Registered | undefined;

/** The organisation that the object names. */
export function organisationReference(one: Registered): ObjectKey | undefined {
  return reference(one, 'org', 'organisation');
}

/** The role that the object names as its abuse contact. */
export function abuseRoleReference(one: Registered): ObjectKey | undefined {
  return reference(one, 'abuse-c', 'role');
}

/** References stay inside the source of the object. */
function reference({ id, object }: Registered, attribute: string, type: ObjectTypeName): ObjectKey | undefined {
  const key = firstValueOf(object, attribute);
  return key ? { source: id.source, type, key } : undefined;
}

/** References to one object have one of these, whatever their letter case. */
export function referenceId({ source, type, key }: ObjectKey): string {
  return `${source.toUpperCase()} ${type} ${key.toLowerCase()}`;
}

/** The object that a reference names, if there is one and it exists. */
export function follow(reference: ObjectKey | undefined, find: Find): Registered | undefined {
  return reference && find(reference);
}

const roots = new Set(['0.0.0.0 - 255.255.255.255', '::/0']);

/** Whether the object is the root of an address space: it stands for what is not registered. */
export function isRoot({ object, id }: Registered): boolean {
  return (object.type === 'inetnum' || object.type === 'inet6num') && roots.has(foldKey(object.type, id.key));
}

/** What the nearest object says that says anything. */
export function nearest<T>(objects: readonly Registered[], read: (one: Registered) => T | undefined): T | undefined {
  for (const one of objects) {
    const value = read(one);
    if (value !== undefined) return value;
  }
  return undefined;
}
