import {
  type Attribute,
  type Key,
  type Message,
  messages,
  type ObjectTypeName,
  primaryKey,
  type RpslObject,
  referencesOf,
  replaceValue,
} from '@cadastre/rpsl';
import { autoKeyAttribute, referredPlaceholder } from './auto-key.js';
import type { PreparedWrite } from './change.js';

/** A key that the registry assigned for an AUTO key. */
export interface AssignedKey {
  readonly type: ObjectTypeName;
  readonly key: string;
}

/** The assigned keys of a write, by placeholder (`auto-1`). */
export type AssignedKeys = ReadonlyMap<string, AssignedKey>;

/** Replaces AUTO keys by the assigned ones and drops deprecated attributes (G-DROP-CHANGED, G-DROP-AUTNUM). */
export function transform(
  prepared: PreparedWrite,
  own: AssignedKey | undefined,
  assigned: AssignedKeys,
): { readonly object: RpslObject; readonly key: Key; readonly messages: readonly Message[] } {
  const resolved = resolveReferences(prepared.object, assigned);
  const named = own === undefined ? resolved.object : withKey(resolved.object, own.key);
  const dropped = dropUnused(named);
  const key = own === undefined ? prepared.key : (primaryKey(named) as Key);
  return { object: dropped.object, key, messages: [...resolved.messages, ...dropped.messages] };
}

function withKey(object: RpslObject, key: string): RpslObject {
  const name = autoKeyAttribute(object.type);
  return { type: object.type, attributes: object.attributes.map((a) => (a.name === name ? replaceValue(a, key) : a)) };
}

function resolveReferences(object: RpslObject, assigned: AssignedKeys): { object: RpslObject; messages: Message[] } {
  const attributes = [...object.attributes];
  const found: Message[] = [];
  for (const reference of referencesOf(object)) {
    const known = referredPlaceholder(reference.types, reference.value);
    if (known === undefined) continue;
    const index = reference.attributeIndex;
    const attribute = attributes[index]!;
    const target = assigned.get(known);
    if (target === undefined) {
      found.push(messages.autoReferenceNotFound(reference.value, { attribute, index }));
    } else if (!reference.types.includes(target.type)) {
      found.push(messages.autoReferenceInvalid(target.type, reference.value, { attribute, index }));
    } else {
      attributes[index] = replaceValue(attribute, target.key);
    }
  }
  return { object: { type: object.type, attributes }, messages: found };
}

const unusedOnAutNum: readonly string[] = ['mnt-lower', 'mnt-routes'];

function dropUnused(object: RpslObject): { object: RpslObject; messages: Message[] } {
  const isUnused = (a: Attribute) =>
    a.name === 'changed' || (object.type === 'aut-num' && unusedOnAutNum.includes(a.name));
  const names = new Set(object.attributes.filter(isUnused).map((a) => a.name));
  return {
    object: { type: object.type, attributes: object.attributes.filter((a) => !isUnused(a)) },
    messages: [...names].map((name) => messages.deprecatedRemoved(name as 'changed' | 'mnt-lower' | 'mnt-routes')),
  };
}
