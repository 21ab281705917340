import { foldEmail } from './email-marks.js';

/** The kinds of credentials, as refusals name them. */
export type CredentialKind = 'API key' | 'session' | 'bearer token' | 'client certificate' | 'signature';

/** The account or key that makes a request: bounds count by it. */
export function callerOf({ accountId, keyFingerprints }: Principal): string {
  return accountId || keyFingerprints[0] || '';
}

/** The account's own address (folded), which the identity provider has verified; empty without an account. */
export function ownAddressOf({ accountId, accountName }: Principal): string {
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
