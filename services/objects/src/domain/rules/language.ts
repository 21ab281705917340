import { messages, valuesOf } from '@cadastre/rpsl';
import type { Rule } from './rule.js';

export const language: Rule = {
  id: 'G-LANGUAGE',
  types: 'all',
  actions: ['create', 'modify'],
  check: ({ object }, _facts, { languages }) =>
    valuesOf(object, 'language')
      .filter((value) => !languages.has(value.toUpperCase()))
      .map((value) => messages.unknownLanguage(value)),
};
