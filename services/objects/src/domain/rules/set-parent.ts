import { messages } from '@cadastre/rpsl';
import { findKnown } from '../known-objects.js';
import { setParent } from '../set-parent.js';
import type { Rule } from './rule.js';

/** A hierarchical set stands under something that exists; who may put it there is a matter of authority. */
export const setParentExists: Rule = {
  id: 'G-SET-PARENT',
  types: ['as-set', 'route-set', 'rtr-set', 'filter-set', 'peering-set'],
  actions: ['create'],
  check: ({ object, key }, { after }) => {
    const parent = setParent(object.type, key.shown);
    return parent === undefined || findKnown(after, [parent.type], parent.key) !== undefined
      ? []
      : [messages.setParentNotFound(parent.shown)];
  },
};
