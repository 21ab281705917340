import { messages, type RpslObject, valuesOf } from '@cadastre/rpsl';
import type { Change } from '../change.js';
import type { Strategy } from './strategy.js';
import { askMaintainers } from './strategy.js';

/**
 * Requires the object's own maintainers (`mnt-by`): of the stored object if there is one, also when the action is
 * create; else of the new one. The maintainers of the new state may modify a stored object that has none (legacy data).
 */
export const ownMaintainers: Strategy = (change, facts, principal) =>
  askMaintainers(maintainedState(change), 'mnt-by', facts, principal, {
    refusal: (type, _key, attribute, candidates) =>
      messages.authorisationFailed(type, change.key.shown, attribute, candidates),
  });

/** The state of the object whose `mnt-by` counts. */
export function maintainedState({ action, object, stored }: Pick<Change, 'action' | 'object' | 'stored'>): RpslObject {
  const isUnmaintained = stored !== undefined && valuesOf(stored, 'mnt-by').length === 0;
  return stored === undefined || (action === 'modify' && isUnmaintained) ? object : stored;
}
