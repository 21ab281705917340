import { messages, type RpslObject, valuesOf } from '@cadastre/rpsl';
import { findKnown } from '../known-objects.js';
import type { Rule } from './rule.js';
import { accepts } from './set-membership.js';

/** A set takes only members whose maintainers it names. */
export const memberOf: Rule = {
  id: 'G-MEMBEROF',
  types: ['aut-num', 'route', 'route6', 'inet-rtr'],
  actions: ['create', 'modify'],
  check: ({ object }, { after }) => {
    const unsupported = valuesOf(object, 'member-of').filter((name) => {
      const set: RpslObject | undefined = findKnown(after, ['as-set', 'route-set', 'rtr-set'], name.toLowerCase());
      return set !== undefined && !accepts(set, object);
    });
    return unsupported.length > 0 ? [messages.membershipNotSupported(unsupported)] : [];
  },
};
