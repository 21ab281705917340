import { type Message, messages, primaryKey, type RpslObject, valuesOf } from '@cadastre/rpsl';
import { authenticates, keyCertName, type Principal } from './authenticate.js';
import type { Facts } from './facts.js';
import { findKnown, objectName } from './known-objects.js';

/**
 * Whether the caller proves to be this mntner or irt. Key-certs that the write creates prove only mntners that it
 * creates: otherwise anyone could create a key-cert that a stored `auth` names but that does not exist.
 */
export function proves(candidate: RpslObject, facts: Facts, principal: Principal | undefined): boolean {
  const keys = isStored(candidate, facts) ? facts.keys : new Map([...facts.newKeys, ...facts.keys]);
  return authenticates(candidate, principal, keys);
}

/** For a caller with keys: which key-certs of the candidates are missing or unreadable. */
export function keyCertWarnings(
  candidates: readonly RpslObject[],
  { before, keys, newKeys }: Facts,
  principal: Principal | undefined,
): Message[] {
  if (principal === undefined || principal.keyFingerprints.length === 0) return [];
  const named = candidates.flatMap((one) => valuesOf(one, 'auth').filter((auth) => keyCertName(auth) !== undefined));
  return [...new Set(named)]
    .filter((auth) => !keys.has(auth.toLowerCase()) && !newKeys.has(auth.toLowerCase()))
    .map((auth) =>
      findKnown(before, ['key-cert'], auth.toLowerCase()) === undefined
        ? messages.keyCertMissing(auth)
        : messages.keyCertUnreadable(auth),
    );
}

function isStored(object: RpslObject, { before }: Facts): boolean {
  const key = primaryKey(object);
  return 'folded' in key && before.get(objectName(object.type, key.folded)) === object;
}
