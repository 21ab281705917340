import { createHash } from 'node:crypto';
import type { Message } from '@cadastre/proto/registry';

/** A signature that holds. */
export interface VerifiedSignature {
  /** Of the PGP primary key, or SHA-256 over the DER form of the certificate; lower-case hexadecimal. */
  fingerprint: string;
  signed: Date;
  /** See `hashOfSigned`. */
  hash: Buffer;
}

/** What a check of a signature found: the signature, or why it does not hold. */
export type SignatureCheck = { verified: VerifiedSignature } | { problem: Message };

/**
 * Tells one act of signing from all others: who signed what, with the attributes that the signature covers (its time
 * is among them). The signature value itself would not do: it can be changed so that it still holds (ECDSA).
 */
export function hashOfSigned(fingerprint: string, attributes: Uint8Array, content: Uint8Array): Buffer {
  const parts = [fingerprint, attributes, content].map((part) => createHash('sha256').update(part).digest());
  return createHash('sha256').update(Buffer.concat(parts)).digest();
}
