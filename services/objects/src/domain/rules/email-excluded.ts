import { messages } from '@cadastre/rpsl';
import { emailPlaces, foldEmail } from '../email-marks.js';
import type { Rule } from './rule.js';

/** Addresses that the operator keeps for itself, or that asked for it, stand in nobody's objects. */
export const emailExcluded: Rule = {
  id: 'G-EMAIL-EXCLUDED',
  types: 'all',
  actions: ['create', 'modify'],
  check: ({ object }, { emailMarks }) =>
    emailPlaces(object)
      .filter(({ value }) => emailMarks.get(foldEmail(value))?.has('excluded'))
      .map(({ value, attribute, index }) => messages.emailExcluded(value, { attribute, index })),
};
