import { messages, type ObjectTypeName, objectTypeNames, type RpslObject, referencesOf } from '@cadastre/rpsl';
import type { Change } from '../change.js';
import type { Rule } from './rule.js';

/** Keys that may vanish under these: they are checked when written, but hold nothing. */
const looseAttributes: readonly string[] = ['encryption', 'signature', 'member-of'];

const heldTypes: readonly ObjectTypeName[] = objectTypeNames.filter((type) => type !== 'aut-num');

/** What other objects name is not deleted. */
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
