import { createHash, X509Certificate } from 'node:crypto';
import type { Message } from '@cadastre/proto/registry';
import { messages } from './messages.js';

/** Reads a certificate in DER form; `undefined` when it is none, or more than one certificate. */
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
  return createHash('sha256').update(certificate.raw).digest('hex');
}

/** Why a certificate may not be used now (spec section "Authentication", item 4); both dates are still inside. */
export function certificateProblem(certificate: X509Certificate, now: Date): Message | undefined {
  const fingerprint = sha256Fingerprint(certificate);
  if (now < certificate.validFromDate) return messages.certificateNotYetValid(fingerprint);
  // Certificates tell whole seconds: the last one belongs to them.
  if (now.getTime() >= certificate.validToDate.getTime() + 1000) return messages.certificateExpired(fingerprint);
  return undefined;
}
