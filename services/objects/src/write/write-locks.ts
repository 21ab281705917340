import { type ObjectTypeName, primaryKey, type RpslObject, rangeOf, referencesOf, valuesOf } from '@cadastre/rpsl';
import { authenticates, keyCertName } from '../domain/authenticate.js';
import { hasAutoKey, referredPlaceholder } from '../domain/auto-key.js';
import { governingTypes, nearest, typesOf } from '../domain/governing.js';
import type { Principal } from '../domain/principal.js';
import { setParent } from '../domain/set-parent.js';
import type { Prepared } from '../domain/submission.js';
import { hierarchyLock, type LockName, objectLock } from '../store/locks.js';
import type { LoadedFacts } from './load-facts.js';

export interface WriteLocks {
  readonly exclusive: readonly LockName[];
  readonly shared: readonly LockName[];
}

type Space = Parameters<typeof hierarchyLock>[0];

const spaces: { readonly [type in ObjectTypeName]?: Space } = {
  inetnum: 'ipv4',
  inet6num: 'ipv6',
  'as-block': 'as',
  domain: 'domain',
  route: 'route',
  route6: 'route6',
};

/**
 * The locks of a write (decision W11). Exclusive: the objects that it changes, and the trees to which it adds or from which
 * it deletes. Shared: the trees that govern a new object, and every object that is referred to, so that none disappears.
 */
export function writeLocks(changes: readonly Prepared[]): WriteLocks {
  return {
    exclusive: changes.flatMap(changed),
    shared: changes.flatMap((change) => [...referredTo(change), ...governingSpaces(change)]),
  };
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

function changed(change: Prepared): LockName[] {
  const space = change.verb === 'update' ? undefined : spaces[change.type];
  return [
    ...(hasAutoKey(change.type, change.key.folded) ? [] : [objectLock([change.type], change.key.folded)]),
    ...(space === undefined ? [] : [hierarchyLock(space)]),
  ];
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

function governingSpaces(change: Prepared): LockName[] {
  const range = change.verb === 'create' ? rangeOf(change.object) : undefined;
  if (range === undefined || governingTypes[change.type] === undefined) {
    return [];
  }
  return [hierarchyLock('as' in range ? 'as' : range.family === 4 ? 'ipv4' : 'ipv6')];
}

/** The lock of a stored object. */
function lockOf(object: RpslObject): LockName {
  const key = primaryKey(object);
  return objectLock([object.type], 'folded' in key ? key.folded : '');
}
