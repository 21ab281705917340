import { firstValueOf, messages, parseAsNumber } from '@cadastre/rpsl';
import type { Rule } from './rule.js';

export const reservedOrigin: Rule = {
  id: 'G-ORIGIN-RESERVED',
  types: ['route', 'route6'],
  actions: ['create', 'modify'],
  check: ({ object }, _facts, { reservedAsNumbers }) => {
    const origin = parseAsNumber(firstValueOf(object, 'origin') ?? '');
    return origin !== undefined && reservedAsNumbers.some(({ first, last }) => first <= origin && origin <= last)
      ? [messages.reservedAsNumber(origin)]
      : [];
  },
};
