import { type RpslObject, referencesOf } from '@cadastre/rpsl';
import { referredPlaceholder } from '../domain/auto-key.js';
import type { Wellformed } from '../domain/change.js';
import { setParent } from '../domain/governing.js';
import type { WriteKey } from '../domain/repeatable.js';
import { statusOf } from '../domain/rules/statuses.js';
import { below, nameOfKey, nameOfNumber, nameOfObject, type WriteName, type WriteNames } from '../store/names.js';
import type { LoadedFacts } from './load-facts.js';
import type { DecidedChange } from './persist.js';
import { treeNames } from './tree-names.js';

/**
 * What a write reads and writes (decision W11). It reads everything that was loaded for it. It writes its objects,
 * their references to others, the parts of trees in which they are created or deleted or change what the tree is
 * checked for, the numbers of their handles, and its key.
 */
export function writeNames(
  { read, assigned }: LoadedFacts,
  decided: readonly DecidedChange[],
  key: WriteKey | undefined,
): WriteNames {
  const own = [...decided.flatMap(ownNames), ...(key === undefined ? [] : [nameOfKey(key)])];
  return {
    read: [...read, ...own],
    written: [...own, ...decided.flatMap(effectsOf), ...assigned.handles.map(nameOfNumber)],
  };
}

/** What a change writes besides its object. */
function effectsOf({ change: { stored }, decision: { outcome, object } }: DecidedChange): readonly WriteName[] {
  switch (outcome) {
    case 'created':
      return [...referencesBy(object), ...treeNames(object).written];
    case 'modified': {
      const isMoved = stored !== undefined && statusOf(stored) !== statusOf(object);
      return [...referencesBy(object), ...(isMoved ? treeNames(object).written : [])];
    }
    case 'deleted':
      return treeNames(object).written;
    default:
      return [];
  }
}

function referencesBy(object: RpslObject): WriteName[] {
  return referencesOf(object).map(({ types, key }) => below(nameOfObject(types, key)));
}

/** The names of the objects that changes refer to. */
export function referencedNames(changes: readonly Wellformed[]): WriteName[] {
  return changes.flatMap(referredTo);
}

function referredTo(change: Wellformed): WriteName[] {
  if (change.verb === 'delete') return [];
  const parent = change.verb === 'create' ? setParent(change.type, change.key.shown) : undefined;
  return [
    ...(parent === undefined ? [] : [nameOfObject([parent.type], parent.key)]),
    ...referencesOf(change.object)
      .filter((reference) => referredPlaceholder(reference.types, reference.key) === undefined)
      .map((reference) => nameOfObject(reference.types, reference.key)),
  ];
}

function ownNames({ change, decision: { outcome }, key }: DecidedChange): WriteName[] {
  return outcome === 'unchanged' ? [] : [nameOfObject([change.object.type], key)];
}
