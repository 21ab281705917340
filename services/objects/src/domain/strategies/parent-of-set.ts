import { messages } from '@cadastre/rpsl';
import { findKnown } from '../known-objects.js';
import { setParent } from '../set-parent.js';
import { askMaintainers, lowerAttribute } from './candidates.js';
import type { Strategy } from './strategy.js';

/**
 * Rule G-SET-PARENT: a hierarchical set is created under `mnt-lower` of its parent, or `mnt-by` when it has none.
 * Want of authority is told as such (decision W5). A parent that does not exist is left to the rule set-parent.
 */
export const parentOfSet: Strategy = (change, facts, principal) => {
  const above = setParent(change.object.type, change.key.shown);
  const parent =
    above && (findKnown(facts.before, [above.type], above.key) ?? findKnown(facts.after, [above.type], above.key));
  if (above === undefined || parent === undefined) {
    return [];
  }
  return askMaintainers(parent, lowerAttribute(parent), facts, principal, {
    refusal: (type, _key, attribute, candidates) =>
      messages.parentAuthorisationFailed(type, above.shown, attribute, candidates),
  });
};
