import { type Message, messages, type Reference, referencesOf } from '@cadastre/rpsl';
import { referredPlaceholder } from '../auto-key.js';
import { findKnown } from '../known-objects.js';
import type { Rule } from './rule.js';

/** What an object names must exist; the object itself counts. One message per attribute. */
export const referencesExist: Rule = {
  id: 'G-REF-EXISTS',
  types: 'all',
  actions: ['create', 'modify'],
  check: ({ object }, { after }) => {
    const missing = referencesOf(object).filter(
      (reference) => !isUnresolved(reference) && findKnown(after, reference.types, reference.key) === undefined,
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

/** An AUTO key that is still there has been complained about. */
function isUnresolved({ types, value }: Reference): boolean {
  return referredPlaceholder(types, value) !== undefined;
}
