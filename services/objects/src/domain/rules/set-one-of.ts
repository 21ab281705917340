import { hasAttribute, messages } from '@cadastre/rpsl';
import type { Rule } from './rule.js';

/** A filter-set has one filter, a peering-set one kind of peerings: for IPv4 or for any family. */
export const setOneOf: Rule = {
  id: 'G-SET-ONE-OF',
  types: ['peering-set', 'filter-set'],
  actions: ['create', 'modify'],
  check: ({ object }) => {
    const name = object.type === 'peering-set' ? 'peering' : 'filter';
    const [one, other] = [hasAttribute(object, name), hasAttribute(object, `mp-${name}`)];
    if (one !== other) {
      return [];
    }
    return one
      ? [messages.cannotContainBoth(object.type, name, `mp-${name}`)]
      : [messages.mustContainEither(object.type, name, `mp-${name}`)];
  },
};
