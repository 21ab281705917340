import { messages, valuesOf } from '@cadastre/rpsl';
import type { Rule } from './rule.js';

/** A set that objects claim to belong to is not deleted, whether or not the claim is accepted. */
export const setMembersLeft: Rule = {
  id: 'G-SET-MEMBERS-LEFT',
  types: ['as-set', 'route-set', 'rtr-set'],
  actions: ['delete'],
  check: ({ object, key }, { referrers }) =>
    referrers.some((referrer) => valuesOf(referrer, 'member-of').some((set) => set.toLowerCase() === key.folded))
      ? [messages.isReferenced(object.type, key.shown)]
      : [],
};
