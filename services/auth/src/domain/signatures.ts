import { hash, X509Certificate } from 'node:crypto';
import type { Message } from '@cadastre/proto/registry';
import { messages } from './messages.js';

/** A signature that is valid. */
export interface VerifiedSignature {
  /** Of the PGP primary key, or SHA-256 over the DER form of the certificate; lower-case hexadecimal. */
  fingerprint: string;
  signed: Date;
  /** See `hashOfSigned`. */
  hash: Uint8Array;
}

/** The result of checking a signature: the signature, or why it is not valid. */
export type SignatureCheck = { verified: VerifiedSignature } | { problem: Message };

/** A signed text, and a check of each signature over it, outermost first. */
export interface CheckedText {
  text: Uint8Array;
  checks: SignatureCheck[];
}

/** A text that cannot be read. */
export function unreadableText(problem: Message): CheckedText {
  return { text: Buffer.alloc(0), checks: [{ problem }] };
}

/**
 * Identifies one act of signing: who signed what, with the attributes that the signature covers (including its time).
 * The value of the signature is unsuitable: it can be converted into another valid one (ECDSA).
 */
export function hashOfSigned(fingerprint: string, attributes: Uint8Array, content: Uint8Array): Buffer {
  const parts = [fingerprint, attributes, content].map((part) => hash('sha256', part, 'buffer'));
  return hash('sha256', Buffer.concat(parts), 'buffer');
}

const maxAgeMs = 3_600_000;
const maxAheadMs = 300_000;

/** Why a signing time is not accepted: spec section "Authentication", item 5, and decision W9. */
export function signingTimeProblem(signed: Date, now: Date): Message | undefined {
  const ageMs = now.getTime() - signed.getTime();
  if (ageMs > maxAgeMs) return messages.signedTooEarly();
  return ageMs < -maxAheadMs ? messages.signedInFuture() : undefined;
}

/** Until when to remember a signature that is accepted now: well after it has become too old. */
export function rememberUntil(now: Date): Date {
  return new Date(now.getTime() + 2 * maxAgeMs);
}

/** The name of a PGP key's key-cert object, from its fingerprint or key ID. */
export function keyCertNameOf(hex: string): string {
  return `PGPKEY-${hex.slice(-8).toUpperCase()}`;
}

/** Parses a certificate in DER form; `undefined` unless the bytes are exactly one certificate. */
export function parseCertificate(der: Uint8Array): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(der);
    return certificate.raw.equals(der) ? certificate : undefined;
  } catch {
    return undefined;
  }
}

/** SHA-256 over the DER form, in lower-case hexadecimal. */
export function sha256Fingerprint(certificate: X509Certificate): string {
  return hash('sha256', certificate.raw);
}

/** Why a certificate is not valid now (spec section "Authentication", item 4); both dates are inclusive. */
export function certificateProblem(certificate: X509Certificate, now: Date): Message | undefined {
  const fingerprint = sha256Fingerprint(certificate);
  if (now < certificate.validFromDate) return messages.certificateNotYetValid(fingerprint);
  // Certificates have whole seconds: the last second is valid to its end.
  if (now.getTime() >= certificate.validToDate.getTime() + 1000) return messages.certificateExpired(fingerprint);
  return undefined;
}
