import { messages } from '@cadastre/rpsl';
import { valuePlaces } from '../places.js';
import type { Rule } from './rule.js';

export const country: Rule = {
  id: 'G-COUNTRY',
  types: 'all',
  actions: ['create', 'modify'],
  check: ({ object }, _facts, { countries }) =>
    valuePlaces(object, 'country')
      .filter(({ value }) => !countries.has(value.toUpperCase()))
      .map((place) => messages.unknownCountry(place.value, place)),
};
