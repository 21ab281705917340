import { contains, formatPrefix, messages } from '@cadastre/rpsl';
import { addressesOf } from '../numbers.js';
import type { Rule } from './rule.js';

export const bogon: Rule = {
  id: 'G-BOGON',
  types: ['route', 'route6'],
  actions: ['create'],
  check: ({ object }, _facts, { bogons }) => {
    const prefix = addressesOf(object);
    return prefix !== undefined && bogons.some((one) => contains(one, prefix))
      ? [messages.bogon(formatPrefix(prefix))]
      : [];
  },
};
