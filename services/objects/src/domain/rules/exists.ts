import { messages } from '@cadastre/rpsl';
import type { Rule } from './rule.js';

/** What exists is not created. */
export const exists: Rule = {
  id: 'G-EXISTS',
  types: 'all',
  actions: ['create'],
  check: ({ stored }) => (stored === undefined ? [] : [messages.alreadyExists()]),
};
