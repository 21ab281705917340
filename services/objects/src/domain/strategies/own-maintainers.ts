import { messages, type RpslObject, valuesOf } from '@cadastre/rpsl';
import { authenticates } from '../authenticate.js';
import type { Change } from '../change.js';
import { candidateNames, findCandidates } from './candidates.js';
import type { Strategy } from './strategy.js';

/**
 * One of the object's own maintainers: those of the stored object if there is one, so that creating what exists takes
 * its maintainers too; else those of the new one. A stored object without any (legacy data) is modified by the new ones.
 */
export const ownMaintainers: Strategy = (change, facts, principal) => {
  const candidates = findCandidates(facts, valuesOf(maintainedState(change), 'mnt-by'));
  return candidates.some((mntner) => authenticates(mntner, principal))
    ? []
    : [messages.authorisationFailed(change.object.type, change.key.shown, 'mnt-by', candidateNames(candidates))];
};

function maintainedState({ action, object, stored }: Change): RpslObject {
  const isUnmaintained = stored !== undefined && valuesOf(stored, 'mnt-by').length === 0;
  return stored === undefined || (action === 'modify' && isUnmaintained) ? object : stored;
}
