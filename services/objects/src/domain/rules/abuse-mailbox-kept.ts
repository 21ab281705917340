import { firstValueOf, hasAttribute, messages, type RpslObject, valuesOf } from '@cadastre/rpsl';
import type { Action } from '../change.js';
import type { Rule } from './rule.js';

/** A role that others name as their abuse contact keeps its mailbox. */
export const abuseMailboxKept: Rule = {
  id: 'G-ABUSEC-KEEP-MAILBOX',
  types: ['role'],
  actions: ['modify', 'delete'],
  check: ({ action, object, stored, key }, { referrers }) => {
    if (!dropsMailbox(action, stored, object)) {
      return [];
    }
    const users = referrers.filter((referrer) =>
      valuesOf(referrer, 'abuse-c').some((handle) => handle.toLowerCase() === key.folded),
    );
    const types = [...new Set(users.map((user) => user.type))];
    return types.map((type) => messages.abuseMailboxInUse(type, firstValueOf(object, 'role') ?? key.shown));
  },
};

/** Whether a change takes `abuse-mailbox` away. */
export function dropsMailbox(action: Action, stored: RpslObject | undefined, object: RpslObject): boolean {
  const had = stored !== undefined && hasAttribute(stored, 'abuse-mailbox');
  return had && (action === 'delete' || !hasAttribute(object, 'abuse-mailbox'));
}
