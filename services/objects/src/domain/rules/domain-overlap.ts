import { firstValueOf, messages } from '@cadastre/rpsl';
import type { Rule } from './rule.js';

/** Ranges of addresses in the names of reverse domains do not overlap in part. */
export const domainOverlap: Rule = {
  id: 'G-DOMAIN-OVERLAP',
  types: ['domain'],
  actions: ['create'],
  check: (_change, { neighbours }) =>
    neighbours.overlapping.slice(0, 1).map((other) => messages.domainOverlaps(firstValueOf(other, 'domain')!)),
};
