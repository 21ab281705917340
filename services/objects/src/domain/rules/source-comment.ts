import { allOf, messages } from '@cadastre/rpsl';
import type { Rule } from './rule.js';

/** `source` bears no comment: the registry's own marks stand there. */
export const sourceComment: Rule = {
  id: 'G-SOURCE-COMMENT',
  types: 'all',
  actions: ['create', 'modify'],
  check: ({ object }) => (allOf(object, 'source').some((a) => a.raw.includes('#')) ? [messages.sourceComment()] : []),
};
