import { asciiLowerCase, asciiUpperCase } from '../letter-case.js';
import type { RpslObject } from '../object.js';
import type { ObjectTypeName } from '../types.js';
import { firstValueOf } from '../value.js';

/** The identity of an object, or a reference to one. */
export interface ObjectName {
  readonly source: string;
  readonly type: string;
  readonly key: string;
}

/** A registered object. */
export interface Registered {
  /** Source in upper case, type, key as written in the object. */
  readonly id: ObjectName;
  readonly object: RpslObject;
}

/** An object followed by the objects that enclose it, the nearest first. */
export type Lineage = readonly [Registered, ...Registered[]];

/** Finds a referenced object among the loaded ones; undefined for a dangling reference. */
export type Find = (reference: ObjectName) => Registered | undefined;

/** The reference to the object's organisation. */
export function organisationReference(one: Registered): ObjectName | undefined {
  return reference(one, 'org', 'organisation');
}

/** The reference to the object's abuse contact. */
export function abuseRoleReference(one: Registered): ObjectName | undefined {
  return reference(one, 'abuse-c', 'role');
}

/** References refer to the object's own source. */
function reference({ id, object }: Registered, attribute: string, type: ObjectTypeName): ObjectName | undefined {
  const key = firstValueOf(object, attribute);
  return key ? { source: id.source, type, key } : undefined;
}

/** The identity of a reference; ignores letter case. */
export function referenceId({ source, type, key }: ObjectName): string {
  return `${asciiUpperCase(source)} ${type} ${asciiLowerCase(key)}`;
}

/** The target of a reference, if it exists. */
export function followReference(reference: ObjectName | undefined, find: Find): Registered | undefined {
  return reference && find(reference);
}

/** The first value that `read` returns, from the nearest object on. */
export function nearestValue<T>(
  objects: readonly Registered[],
  read: (one: Registered) => T | undefined,
): T | undefined {
  for (const one of objects) {
    const value = read(one);
    if (value !== undefined) return value;
  }
  return undefined;
}
