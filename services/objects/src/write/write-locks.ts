import { type ObjectTypeName, referencesOf } from '@cadastre/rpsl';
import { hasAutoKey, referredPlaceholder } from '../domain/auto-key.js';
import type { Prepared } from '../domain/submission.js';
import { hierarchyLock, type LockName, objectLock } from '../store/locks.js';

const spaces: { readonly [type in ObjectTypeName]?: Parameters<typeof hierarchyLock>[0] } = {
  inetnum: 'ipv4',
  inet6num: 'ipv6',
  'as-block': 'as',
  domain: 'domain',
};

/**
 * The locks under which a write is checked (decision W11): alone on the objects that it changes and on the trees in
 * which one comes or goes; shared on every object that it refers to, so that none of those goes away.
 */
export function writeLocks(changes: readonly Prepared[]): { exclusive: LockName[]; shared: LockName[] } {
  return { exclusive: changes.flatMap(changed), shared: changes.flatMap(referredTo) };
}

function changed(change: Prepared): LockName[] {
  const space = change.verb === 'update' ? undefined : spaces[change.type];
  return [
    ...(hasAutoKey(change.type, change.key.folded) ? [] : [objectLock([change.type], change.key.folded)]),
    ...(space === undefined ? [] : [hierarchyLock(space)]),
  ];
}

function referredTo(change: Prepared): LockName[] {
  return change.verb === 'delete'
    ? []
    : referencesOf(change.object)
        .filter((reference) => referredPlaceholder(reference.types, reference.key) === undefined)
        .map((reference) => objectLock(reference.types, reference.key));
}
