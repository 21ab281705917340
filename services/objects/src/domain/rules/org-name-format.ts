import { messages } from '@cadastre/rpsl';
import { places } from '../places.js';
import type { Rule } from './rule.js';

/** The legal name stands on one line with single spaces. */
export const orgNameFormat: Rule = {
  id: 'G-ORGNAME-FORMAT',
  types: ['organisation'],
  actions: ['create', 'modify'],
  check: ({ object }) =>
    places(object, 'org-name')
      .filter(({ attribute }) => /[\t\r\n]|\s{2}/.test(attribute.raw.replace(/#[^\n]*/g, '').trim()))
      .map((place) => messages.orgNameLayout(place)),
};
