import { cleanValue, formatIpv6Network, parseIpv6, type RpslObject, valuesOf } from '@cadastre/rpsl';
import { foldEmail } from './mail-address.js';

/** The kinds of credentials, as refusals name them. */
export type CredentialKind = 'API key' | 'session' | 'bearer token' | 'client certificate' | 'signature';

/** Who makes a request. */
export interface Caller {
  readonly principal: Pick<Principal, 'accountId' | 'accountName'>;
  /** IP address of the client; empty when unknown. */
  readonly clientAddress: string;
}

/**
 * By whom bounds on mails count: the account; without one the IPv4 address, or the /48 of the IPv6 address, because
 * anybody can make keys.
 */
export function callerOf({ principal: { accountId }, clientAddress }: Caller): string {
  return accountId || `address:${networkOf(clientAddress, 48)}`;
}

/** An address without IPv6 zone; of an IPv6 address the network of this length. */
export function networkOf(address: string, length: number): string {
  const bits = address.includes(':') ? parseIpv6(address.replace(/%.*/, '')) : undefined;
  return bits === undefined ? address : formatIpv6Network(bits, length);
}

/** The account's own address (folded), which the identity provider has verified; empty without an account. */
export function ownAddressOf({ accountId, accountName }: Caller['principal']): string {
  return accountId === '' ? '' : foldEmail(accountName);
}

/** The caller, for authorisation. */
export interface Principal {
  /** The accepted credentials, in the order in which they were checked. */
  readonly credentials: readonly CredentialKind[];
  /** The account's stable subject at the identity provider; empty without an account. */
  readonly accountId: string;
  /** The account's name (e-mail address), as in `auth: SSO name` lines; empty without an account. */
  readonly accountName: string;
  /** Identifier of the API key, if one was used. */
  readonly apiKeyId: string;
  /** When not empty, the caller may act only as one of these maintainers (a limited API key). */
  readonly maintainers: readonly string[];
  /** Fingerprints, as in `KeyFingerprints`, of the keys that the caller proved to hold. */
  readonly keyFingerprints: readonly string[];
}

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
