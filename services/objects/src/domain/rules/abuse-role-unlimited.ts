import { hasAttribute, messages } from '@cadastre/rpsl';
import type { Rule } from './rule.js';

/** Tells that a role with an abuse mailbox is shown to everybody without limit. */
export const abuseRoleUnlimited: Rule = {
  id: 'G-ABUSEC-NOLIMIT',
  types: ['role'],
  actions: ['create', 'modify'],
  check: ({ object, stored }) => {
    const isNew = stored === undefined || !hasAttribute(stored, 'abuse-mailbox');
    return isNew && hasAttribute(object, 'abuse-mailbox') ? [messages.abuseRoleUnlimited()] : [];
  },
};
