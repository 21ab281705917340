import { messages, type RpslObject, valuesOf } from '@cadastre/rpsl';
import type { Change } from '../change.js';
import { askMaintainers } from './candidates.js';
import type { Strategy } from './strategy.js';

/**
 * One of the object's own maintainers: those of the stored object if there is one, so that creating what exists takes
 * its maintainers too; else those of the new one. A stored object without any (legacy data) is modified by the new ones.
 */
export const ownMaintainers: Strategy = (change, facts, principal) =>
  askMaintainers(maintainedState(change), 'mnt-by', facts, principal, {
    refusal: (type, _key, attribute, candidates) =>
      messages.authorisationFailed(type, change.key.shown, attribute, candidates),
  });

function maintainedState({ action, object, stored }: Change): RpslObject {
  const isUnmaintained = stored !== undefined && valuesOf(stored, 'mnt-by').length === 0;
  return stored === undefined || (action === 'modify' && isUnmaintained) ? object : stored;
}
