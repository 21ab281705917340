import type { Message } from '@cadastre/rpsl';

/** What the material of a key-cert says about itself. */
export interface CertificateFacts {
  readonly method: 'PGP' | 'X509';
  readonly owners: readonly string[];
  readonly fingerprint: string;
}

export type CertificateReading =
  | { readonly ok: true; readonly facts: CertificateFacts }
  | { readonly ok: false; readonly messages: readonly Message[] };

/** Why material cannot be used. */
export type Unreadable = 'no-key' | 'several-keys' | 'invalid';
