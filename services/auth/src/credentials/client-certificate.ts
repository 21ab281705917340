import { CredentialKind } from '@cadastre/proto/registry';
import { certificateProblem, parseCertificate, sha256Fingerprint } from '../domain/certificate.js';
import { type Finding, rejected } from './finding.js';

/** Larger than any certificate that holds one key. */
const maxBytes = 65_536;

/**
 * Checks a client's leaf certificate (decision W10): its dates only. Who issued it does not matter: it counts where
 * a maintainer names a key-cert object with this very certificate, and the handshake proved the possession of its key.
 */
export function checkClientCertificate(der: Uint8Array, now: Date): Finding {
  const certificate = der.length <= maxBytes ? parseCertificate(der) : undefined;
  if (!certificate) return rejected;
  const problem = certificateProblem(certificate, now);
  if (problem) return { rejected: problem };
  const credentials = [CredentialKind.CREDENTIAL_KIND_CLIENT_CERTIFICATE];
  return { accepted: { credentials, keyFingerprints: [sha256Fingerprint(certificate)] } };
}
