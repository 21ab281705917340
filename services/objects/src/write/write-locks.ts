import { primaryKey, type RpslObject, referencesOf, valuesOf } from '@cadastre/rpsl';
import { authenticates, keyCertName } from '../domain/authenticate.js';
import { hasAutoKey, referredPlaceholder } from '../domain/auto-key.js';
import { nearest, typesOf } from '../domain/governing.js';
import type { Principal } from '../domain/principal.js';
import { setParent } from '../domain/set-parent.js';
import type { Prepared } from '../domain/submission.js';
import { type LockName, type LockNames, objectLock } from '../store/locks.js';
import type { LoadedFacts } from './load-facts.js';
import { treeLocks } from './tree-locks.js';

/**
 * The locks of a write (decision W11). Exclusive: the objects that it changes, and the parts of trees to which it adds or
 * from which it deletes. Shared: the parts of trees that govern a new object, and every object that is referred to, so
 * that none disappears.
 */
export function writeLocks(changes: readonly Prepared[]): LockNames {
  const trees = treeLocks(changes);
  return {
    exclusive: [...changes.flatMap(changed), ...trees.exclusive],
    shared: [...referenceLocks(changes), ...trees.shared],
  };
}

/** The locks of the objects that a write refers to. */
export function referenceLocks(changes: readonly Prepared[]): LockName[] {
  return changes.flatMap(referredTo);
}

/**
 * The locks of the objects on whose authority a write rests: the closest ones that govern it, the mntners and irts that
 * the caller is, and the key-certs that prove it.
 */
export function authorityLocks(
  { loaded, surroundings, keys }: LoadedFacts,
  principal: Principal | undefined,
): LockName[] {
  const governing = surroundings.flatMap((one) =>
    typesOf(one.governing).flatMap((type) => nearest(one.governing, type)),
  );
  const proven = [...loaded.objects.values()].filter(
    (object) => (object.type === 'mntner' || object.type === 'irt') && authenticates(object, principal, keys),
  );
  const keyCerts = proven.flatMap((object) => valuesOf(object, 'auth').flatMap((auth) => keyCertName(auth) ?? []));
  return [
    ...[...governing, ...proven].map((object) => lockOf(object)),
    ...keyCerts.filter((name) => keys.has(name)).map((name) => objectLock(['key-cert'], name)),
  ];
}

function changed({ type, key }: Prepared): LockName[] {
  return hasAutoKey(type, key.folded) ? [] : [objectLock([type], key.folded)];
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

/** The lock of a stored object. */
function lockOf(object: RpslObject): LockName {
  const key = primaryKey(object);
  return objectLock([object.type], 'folded' in key ? key.folded : '');
}
