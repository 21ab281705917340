import type { Message } from '@cadastre/rpsl';

/** What the material of a key-cert says about itself. */
export interface CertificateFacts {
  readonly method: 'PGP' | 'X509';
  readonly owners: readonly string[];
  /** As the attribute `fingerpr` shows it. */
  readonly fingerprint: string;
  /** By which the holder of the key is known: see `KeyFingerprints`. */
  readonly keyFingerprint: string;
  /** By which a refusal names the key; 8 hex digits of a PGP key, upper case. */
  readonly keyId?: string;
  readonly expired: boolean;
  readonly revoked: boolean;
  /** Name of the kind of key, such as RSA; undefined for kinds by which nobody can authenticate. */
  readonly algorithm: string | undefined;
  /** Length of an RSA or DSA key. */
  readonly bits?: number;
  /** By which a certificate is signed, for example RSA-SHA256. */
  readonly signatureAlgorithm?: string;
}

export type CertificateReading =
  | { readonly ok: true; readonly facts: CertificateFacts }
  | { readonly ok: false; readonly messages: readonly Message[] };

/** Why material cannot be used. */
export type Unreadable = 'no-key' | 'several-keys' | 'invalid';
