import { createHash, createPublicKey } from 'node:crypto';

/** The fingerprint of a public key (PEM): SHA-256 of its SubjectPublicKeyInfo, 64 hexadecimal digits. */
export function fingerprintOf(publicKey: string): string {
  const der = createPublicKey(publicKey).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest('hex');
}
