import { cleanValue, type RpslObject, valuesOf } from '@cadastre/rpsl';
import type { Principal } from './principal.js';

/**
 * The fingerprints of the keys in key-certs, by folded name of the key-cert, in lower-case hex: SHA-256 of the DER form
 * of a certificate (decision W10), of a PGP key its own.
 */
export type KeyFingerprints = ReadonlyMap<string, string>;

/**
 * Whether the caller proves to be this mntner or irt: one of its `auth` lines names the caller's account, or a key-cert
 * whose key the caller holds, and the caller's key is not limited to other maintainers. Anonymous callers prove
 * nothing.
 */
export function authenticates(object: RpslObject, principal: Principal | undefined, keys: KeyFingerprints): boolean {
  return (
    principal !== undefined &&
    mayActAs(object, principal) &&
    valuesOf(object, 'auth').some((auth) => isAccountOf(principal, auth) || isKeyOf(principal, keys, auth))
  );
}

/** The account that an `auth` value names; undefined for other kinds. */
export function accountName(auth: string): string | undefined {
  return /^sso (.+)$/i.exec(auth)?.[1];
}

/** The folded name of the key-cert that an `auth` value names; undefined for other kinds. */
export function keyCertName(auth: string): string | undefined {
  return /^(?:pgpkey|x509)-/i.test(auth) ? auth.toLowerCase() : undefined;
}

/** The key-certs, in upper case, that hold keys of the caller. */
export function keyCertsOfCaller({ keyFingerprints }: Pick<Principal, 'keyFingerprints'>, keys: KeyFingerprints) {
  const held = new Set(keyFingerprints.map((one) => one.toLowerCase()));
  return [...keys].filter(([, fingerprint]) => held.has(fingerprint)).map(([name]) => name.toUpperCase());
}

function mayActAs(object: RpslObject, { maintainers }: Principal): boolean {
  const name = cleanValue(object.attributes[0]!).toLowerCase();
  return maintainers.length === 0 || maintainers.some((one) => one.toLowerCase() === name);
}

/** Compares names without letter case, subjects exactly. */
function isAccountOf({ accountId, accountName: name }: Principal, auth: string): boolean {
  const named = accountName(auth);
  return (
    named !== undefined &&
    ((name !== '' && named.toLowerCase() === name.toLowerCase()) || (accountId !== '' && named === accountId))
  );
}

function isKeyOf({ keyFingerprints }: Principal, keys: KeyFingerprints, auth: string): boolean {
  const fingerprint = keys.get(keyCertName(auth) ?? '');
  return fingerprint !== undefined && keyFingerprints.some((one) => one.toLowerCase() === fingerprint);
}
