import { hasAttribute, messages, valuesOf } from '@cadastre/rpsl';
import { findKnown } from '../known-objects.js';
import type { Rule } from './rule.js';

/** Complaints reach a role with a mailbox for them. */
export const abuseContactRole: Rule = {
  id: 'G-ABUSEC-ROLE',
  types: ['organisation', 'inetnum', 'inet6num', 'aut-num'],
  actions: ['create', 'modify'],
  check: ({ object }, { after }) =>
    valuesOf(object, 'abuse-c').flatMap((handle) => {
      const role = findKnown(after, ['role'], handle.toLowerCase());
      if (role !== undefined) {
        return hasAttribute(role, 'abuse-mailbox') ? [] : [messages.abuseRoleWithoutMailbox(handle, object.type)];
      }
      const person = findKnown(after, ['person'], handle.toLowerCase());
      return person === undefined ? [] : [messages.abuseContactIsPerson()];
    }),
};
