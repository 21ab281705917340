import { messages } from '@cadastre/rpsl';
import type { Rule } from './rule.js';

/** Blocks of AS numbers are disjoint. */
export const asBlockOverlap: Rule = {
  id: 'G-ASBLOCK-OVERLAP',
  types: ['as-block'],
  actions: ['create'],
  check: (_change, { neighbours }) => [
    ...neighbours.enclosing.map(messages.asBlockParentExists),
    ...neighbours.contained.map(messages.asBlockChildExists),
    ...neighbours.overlapping.map(messages.asBlockOverlaps),
  ],
};
