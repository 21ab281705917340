import { nearest } from '../governing.js';
import type { Rule } from './rule.js';
import { childMisfit, statusOf } from './status-hierarchy.js';

/** Who deletes a network learns when what stands in it does not fit under the one above. */
export const inetnumDeletion: Rule = {
  id: 'P-INET-DELETE',
  types: ['inetnum'],
  actions: ['delete'],
  profile: 'rir',
  isPrivate: true,
  check: (_change, { neighbours: { enclosing, contained } }) => {
    const [parent] = nearest(enclosing, 'inetnum');
    const misfit = parent && childMisfit('inetnum', statusOf(parent), contained);
    return misfit === undefined ? [] : [{ ...misfit, severity: 'warning' }];
  },
};
