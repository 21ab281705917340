import { messages, valuesOf } from '@cadastre/rpsl';
import type { Rule } from './rule.js';

/** An object is of the source that it is written to. */
export const sourceKnown: Rule = {
  id: 'G-SOURCE',
  types: 'all',
  actions: ['create', 'modify'],
  check: ({ object }, { source }) =>
    valuesOf(object, 'source')
      .map((value) => value.toUpperCase())
      .filter((value) => value !== source)
      .map((value) => messages.unrecognizedSource(value)),
};
