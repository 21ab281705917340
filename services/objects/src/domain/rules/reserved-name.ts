import { messages } from '@cadastre/rpsl';
import type { Rule } from './rule.js';

/** Words of the policy language, which no object is called. */
const reservedWords: ReadonlySet<string> = new Set([
  'any',
  'as-any',
  'rs-any',
  'peeras',
  'and',
  'or',
  'not',
  'atomic',
  'from',
  'to',
  'at',
  'action',
  'accept',
  'announce',
  'except',
  'refine',
  'networks',
  'into',
  'inbound',
  'outbound',
]);

export const reservedName: Rule = {
  id: 'G-RESERVED',
  types: 'all',
  actions: ['create'],
  check: ({ key }) => (reservedWords.has(key.folded) ? [messages.reservedName(key.folded)] : []),
};
