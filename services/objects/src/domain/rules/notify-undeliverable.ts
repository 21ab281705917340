import { messages } from '@cadastre/rpsl';
import { notifiedEmails } from '../notified-emails.js';
import type { Rule } from './rule.js';

/** Who makes a change learns that somebody who should be told of it is not. */
export const notifyUndeliverable: Rule = {
  id: 'G-NOTIFY-UNDELIVERABLE',
  types: 'all',
  actions: ['create', 'modify', 'delete'],
  isPrivate: true,
  check: (change, { after, before, emailMarks }) =>
    notifiedEmails(change, new Map([...after, ...before])).flatMap((address) => {
      const marks = emailMarks.get(address);
      if (marks?.has('undeliverable')) return [messages.notNotified(address, 'undeliverable')];
      return marks?.has('unsubscribed') ? [messages.notNotified(address, 'unsubscribe')] : [];
    }),
};
