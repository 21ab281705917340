import { formatIpv6Network, parseIpv6 } from '@cadastre/rpsl';
import { foldEmail } from './email-marks.js';

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
