/** By what a caller proved who it is, in the words in which a refusal tells it. */
export type CredentialKind = 'API key' | 'session' | 'bearer token' | 'client certificate' | 'signature';

/** Who is calling, as far as authorisation cares. */
export interface Principal {
  /** What was accepted as proof, in the order in which it was tried. */
  readonly credentials: readonly CredentialKind[];
  /** The account's stable subject at the identity provider; empty when no account is involved. */
  readonly accountId: string;
  /** The account's name (e-mail address), which `auth: SSO name` lines hold; empty when no account is involved. */
  readonly accountName: string;
  /** When not empty, the caller may act only as one of these maintainers (a limited API key). */
  readonly maintainers: readonly string[];
  /** Fingerprints, as those of `KeyFingerprints`, of the keys that the caller proved to hold. */
  readonly keyFingerprints: readonly string[];
}
