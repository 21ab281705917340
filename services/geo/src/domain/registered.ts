import type { ObjectKey } from '@cadastre/proto/registry';
import { asciiLowerCase, asciiUpperCase, firstValueOf, type ObjectTypeName, type RpslObject } from '@cadastre/rpsl';

/** A registered object. */
export interface Registered {
  /** Source in upper case, type, key as written in the object. */
  readonly id: ObjectKey;
  readonly object: RpslObject;
}

/** An object followed by the objects that enclose it, the nearest first. */
export type Lineage = readonly [Registered, ...Registered[]];

/** Finds a referenced object among the loaded ones; undefined for a dangling reference. */
export type Find = (reference: ObjectKey) => Registered | undefined;

/** The reference to the object's organisation. */
export function organisationReference(one: Registered): ObjectKey | undefined {
  return reference(one, 'org', 'organisation');
}

/** The reference to the object's abuse contact. */
export function abuseRoleReference(one: Registered): ObjectKey | undefined {
  return reference(one, 'abuse-c', 'role');
}

/** References refer to the object's own source. */
function reference({ id, object }: Registered, attribute: string, type: ObjectTypeName): ObjectKey | undefined {
  const key = firstValueOf(object, attribute);
  return key ? { source: id.source, type, key } : undefined;
}

/** The identity of a reference; ignores letter case. */
export function referenceId({ source, type, key }: ObjectKey): string {
  return `${asciiUpperCase(source)} ${type} ${asciiLowerCase(key)}`;
}

/** The target of a reference, if it exists. */
export function follow(reference: ObjectKey | undefined, find: Find): Registered | undefined {
  return reference && find(reference);
}

/** The first value that `read` returns, from the nearest object on. */
export function nearest<T>(objects: readonly Registered[], read: (one: Registered) => T | undefined): T | undefined {
  for (const one of objects) {
    const value = read(one);
    if (value !== undefined) return value;
  }
  return undefined;
}
