import { messages } from '@cadastre/rpsl';
import { valuePlaces } from '../places.js';
import type { Rule } from './rule.js';

/** A role stands for people and is not its own contact. */
export const roleSelfReference: Rule = {
  id: 'G-ROLE-SELF',
  types: ['role'],
  actions: ['create', 'modify'],
  check: ({ object, key }) =>
    valuePlaces(object, 'admin-c', 'tech-c')
      .filter(({ value }) => value.toLowerCase() === key.folded)
      .map((place) => messages.selfReference(place)),
};
