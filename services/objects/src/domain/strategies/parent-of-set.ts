import { hasAttribute, messages, valuesOf } from '@cadastre/rpsl';
import { authenticates } from '../authenticate.js';
import { findKnown } from '../known-objects.js';
import { setParent } from '../set-parent.js';
import { candidateNames, findCandidates } from './candidates.js';
import type { Strategy } from './strategy.js';

/**
 * Rule G-SET-PARENT: a hierarchical set is created under `mnt-lower` of its parent, or `mnt-by` when it has none.
 * Want of authority is told as such (decision W5). A parent that does not exist is left to the rule set-parent.
 */
export const parentOfSet: Strategy = (change, facts, principal) => {
  const above = change.action === 'create' ? setParent(change.object.type, change.key.shown) : undefined;
  const parent =
    above && (findKnown(facts.before, [above.type], above.key) ?? findKnown(facts.after, [above.type], above.key));
  if (above === undefined || parent === undefined) {
    return [];
  }
  const attribute = hasAttribute(parent, 'mnt-lower') ? 'mnt-lower' : 'mnt-by';
  const candidates = findCandidates(facts, valuesOf(parent, attribute));
  return candidates.some((mntner) => authenticates(mntner, principal))
    ? []
    : [messages.parentAuthorisationFailed(parent.type, above.shown, attribute, candidateNames(candidates))];
};
