import {
  firstValueOf,
  type Message,
  messages,
  type ObjectTypeName,
  objectTypeNames,
  type RpslObject,
  referencesOf,
  sameObject,
  valuesOf,
} from '@cadastre/rpsl';
import { referredPlaceholder } from '../auto-key.js';
import type { Change } from '../change.js';
import type { Facts } from '../facts.js';
import { findContact, findKnown, findMntner } from '../known-objects.js';
import type { Policy } from '../policy.js';
import type { Rule } from './rule.js';

/** An object that exists cannot be created again. */
export const exists: Rule = {
  id: 'G-EXISTS',
  types: 'all',
  actions: ['create'],
  check: ({ stored }) => (stored === undefined ? [] : [messages.alreadyExists()]),
};

/** A deletion with the object must have the stored one. */
export const deletionMismatch: Rule = {
  id: 'G-DELETE-MISMATCH',
  types: 'all',
  actions: ['delete'],
  isPrivate: true,
  check: ({ key, object, expected }) =>
    expected === undefined || sameObject(object, expected) ? [] : [messages.deleteMismatch(shownName(object, key))],
};

/** For example "[mntner] EXAMPLE-MNT"; persons and roles with their name. */
function shownName(object: RpslObject, key: Change['key']): string {
  const name = object.type === 'person' || object.type === 'role' ? `   ${firstValueOf(object, object.type)}` : '';
  return `[${object.type}] ${key.shown}${name}`;
}

/**
 * References in these attributes are checked when they are written, but do not prevent the deletion of their target.
 */
const looseAttributes: readonly string[] = ['encryption', 'signature', 'member-of'];

/** An aut-num may be deleted while others refer to it, for example as origin. */
const heldTypes: readonly ObjectTypeName[] = objectTypeNames.filter((type) => type !== 'aut-num');

/** An object that others refer to cannot be deleted. */
export const referenced: Rule = {
  id: 'G-REFERENCED',
  types: heldTypes,
  actions: ['delete'],
  check: (change, { referrers }) =>
    referrers.some((referrer) => holds(referrer, change))
      ? [messages.isReferenced(change.object.type, change.key.shown)]
      : [],
};

function holds(referrer: RpslObject, { object, key }: Change): boolean {
  return referencesOf(referrer).some(
    (reference) =>
      reference.key === key.folded &&
      reference.types.includes(object.type) &&
      !looseAttributes.includes(reference.attribute),
  );
}

/** Every object that this one refers to exists; it may refer to itself. One message per attribute. */
export const referencesExist: Rule = {
  id: 'G-REF-EXISTS',
  types: 'all',
  actions: ['create', 'modify'],
  isEarly: true,
  check: ({ object }, { after }) => {
    const missing = referencesOf(object).filter(
      (reference) =>
        referredPlaceholder(reference.types, reference.value) === undefined &&
        findKnown(after, reference.types, reference.key) === undefined,
    );
    return [...Map.groupBy(missing, (reference) => reference.attributeIndex)].map(
      ([index, references]): Message =>
        messages.unknownReference(
          references.map((reference) => reference.value),
          { attribute: object.attributes[index]!, index },
        ),
    );
  },
};

/** All maintainers exist. A caller without any contact here gets a link to the first steps. */
export const maintainersExist: Rule = {
  id: 'G-MNTBY-EXISTS',
  types: 'all',
  actions: ['create', 'modify'],
  isEarly: true,
  check: (change, facts, policy) => {
    const missing = valuesOf(change.object, 'mnt-by').filter((name) => findMntner(facts.after, name) === undefined);
    const found = missing.map((name) => messages.maintainerNotFound(name));
    return found.length > 0 ? [...found, ...firstSteps(change, facts, policy)] : [];
  },
};

const contactAttributes = ['admin-c', 'tech-c', 'zone-c', 'author', 'ping-hdl'] as const;

function firstSteps({ object }: Change, { after }: Facts, { firstMaintainerPage }: Policy): Message[] {
  const hasContact = contactAttributes
    .flatMap((name) => valuesOf(object, name))
    .some((handle) => findContact(after, handle) !== undefined);
  if (hasContact || firstMaintainerPage === undefined) return [];
  const text = 'To create the first person/mntner pair of objects for an organisation see\n%s';
  return [{ severity: 'info', text, args: [firstMaintainerPage] }];
}
