import {
  type Attribute,
  type Key,
  type Message,
  messages,
  type ObjectTypeName,
  primaryKey,
  type RpslObject,
  referencesOf,
} from '@cadastre/rpsl';
import { autoKeyAttribute, referredPlaceholder } from './auto-key.js';
import type { PreparedWrite } from './submission.js';
import { withValue } from './with-value.js';

/** A key that was made up for a placeholder. */
export interface ClaimedKey {
  readonly type: ObjectTypeName;
  readonly key: string;
}

/** The keys made up in a write, by `auto-n`. */
export type ClaimedKeys = ReadonlyMap<string, ClaimedKey>;

export interface Transformed {
  readonly object: RpslObject;
  readonly key: Key;
  readonly messages: readonly Message[];
}

/** Puts made-up keys in the place of AUTO keys and drops what is no longer used (G-DROP-CHANGED, G-DROP-AUTNUM). */
export function transform(prepared: PreparedWrite, own: ClaimedKey | undefined, claimed: ClaimedKeys): Transformed {
  const resolved = resolveReferences(prepared.object, claimed);
  const named = own === undefined ? resolved.object : withKey(resolved.object, own.key);
  const dropped = dropUnused(named);
  const key = own === undefined ? prepared.key : (primaryKey(named) as Key);
  return { object: dropped.object, key, messages: [...resolved.messages, ...dropped.messages] };
}

function withKey(object: RpslObject, key: string): RpslObject {
  const name = autoKeyAttribute(object.type);
  return { type: object.type, attributes: object.attributes.map((a) => (a.name === name ? withValue(a, key) : a)) };
}

function resolveReferences(object: RpslObject, claimed: ClaimedKeys): { object: RpslObject; messages: Message[] } {
  const attributes = [...object.attributes];
  const found: Message[] = [];
  for (const reference of referencesOf(object)) {
    const known = referredPlaceholder(reference.types, reference.value);
    if (known === undefined) {
      continue;
    }
    const index = reference.attributeIndex;
    const attribute = attributes[index]!;
    const target = claimed.get(known);
    if (target === undefined) {
      found.push(messages.autoReferenceNotFound(reference.value, { attribute, index }));
    } else if (!reference.types.includes(target.type)) {
      found.push(messages.autoReferenceInvalid(target.type, reference.value, { attribute, index }));
    } else {
      attributes[index] = withValue(attribute, target.key);
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
