import { type RpslObject, referencesOf } from '@cadastre/rpsl';
import { referredPlaceholder } from '../domain/auto-key.js';
import type { WriteKey } from '../domain/repeatable.js';
import { statusOf } from '../domain/rules/statuses.js';
import { setParent } from '../domain/set-parent.js';
import type { Prepared } from '../domain/submission.js';
import { below, keyLock, type LockName, type LockNames, numberLock, objectLock } from '../store/locks.js';
import type { LoadedFacts } from './load-facts.js';
import type { DecidedChange } from './persist.js';
import { treeLocks } from './tree-locks.js';

/**
 * What a write reads and writes (decision W11). It reads everything that was loaded for it. It writes its objects,
 * their references to others, the parts of trees in which they are created or deleted or change what the tree is
 * checked for, the numbers of their handles, and its key.
 */
export function writeLocks(
  { read, assigned }: LoadedFacts,
  decided: readonly DecidedChange[],
  key: WriteKey | undefined,
): LockNames {
  const own = [...decided.flatMap(ownLocks), ...(key === undefined ? [] : [keyLock(key)])];
  return {
    read: [...read, ...own],
    written: [...own, ...decided.flatMap(effectsOf), ...assigned.handles.map(numberLock)],
  };
}

function ownLocks({ change, decision: { outcome }, key }: DecidedChange): LockName[] {
  return outcome === 'unchanged' ? [] : [objectLock([change.object.type], key)];
}

/** What a change writes besides its object. */
function effectsOf({ change: { stored }, decision: { outcome, object } }: DecidedChange): readonly LockName[] {
  switch (outcome) {
    case 'created':
      return [...referencesBy(object), ...treeLocks(object).written];
    case 'modified': {
      const isMoved = stored !== undefined && statusOf(stored) !== statusOf(object);
      return [...referencesBy(object), ...(isMoved ? treeLocks(object).written : [])];
    }
    case 'deleted':
      return treeLocks(object).written;
    default:
      return [];
  }
}

function referencesBy(object: RpslObject): LockName[] {
  return referencesOf(object).map(({ types, key }) => below(objectLock(types, key)));
}

/** The names of the objects that changes refer to. */
export function referenceLocks(changes: readonly Prepared[]): LockName[] {
  return changes.flatMap(referredTo);
}

function referredTo(change: Prepared): LockName[] {
  if (change.verb === 'delete') {
    return [];
  }
  const parent = change.verb === 'create' ? setParent(change.type, change.key.shown) : undefined;
  return [
    ...(parent === undefined ? [] : [objectLock([parent.type], parent.key)]),
    ...referencesOf(change.object)
      .filter((reference) => referredPlaceholder(reference.types, reference.key) === undefined)
      .map((reference) => objectLock(reference.types, reference.key)),
  ];
}
