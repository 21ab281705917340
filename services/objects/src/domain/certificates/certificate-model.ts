import type { Message } from '@cadastre/rpsl';

/** What the material of a key-cert claims. */
export interface CertificateFacts {
  readonly method: 'PGP' | 'X509';
  readonly owners: readonly string[];
  /** As the attribute `fingerpr` shows it. */
  readonly fingerprint: string;
  /** Identifies the holder of the key: see `KeyFingerprints`. */
  readonly keyFingerprint: string;
  /** Names the key in a refusal; 8 upper-case hex digits of a PGP key. */
  readonly keyId?: string;
  /**
   * Of a PGP key: identifiers of the subkeys that may sign for it, 16 lower-case hexadecimal digits each. Key and subkey
   * have signed each other, so a foreign subkey cannot be among them.
   */
  readonly signingSubkeys: readonly string[];
  readonly expired: boolean;
  readonly revoked: boolean;
  /** Name of the kind of key, such as RSA; undefined for kinds that cannot authenticate. */
  readonly algorithm: string | undefined;
  /** Length of an RSA or DSA key. */
  readonly bits?: number;
  /** Signature algorithm of a certificate, for example RSA-SHA256. */
  readonly signatureAlgorithm?: string;
}

export type CertificateReading =
  | { readonly ok: true; readonly facts: CertificateFacts }
  | { readonly ok: false; readonly messages: readonly Message[] };

/** Why material cannot be used. */
export type Unreadable = 'no-key' | 'several-keys' | 'invalid' | { readonly tooMuch: string };
