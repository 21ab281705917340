import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import forge from 'node-forge';

/** A key of a client and its certificate. */
export interface ClientIdentity {
  /** PEM. */
  cert: string;
  key: string;
  der: Buffer;
}

const hourMs = 3_600_000;

/** A certificate that its client made itself; by default valid for an hour. */
export function selfSignedClient(name: string, from = -hourMs, until = hourMs): ClientIdentity {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  const signer = forge.pki.privateKeyFromPem(key);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(signer.n, signer.e);
  certificate.serialNumber = '4001';
  certificate.validity.notBefore = new Date(Date.now() + from);
  certificate.validity.notAfter = new Date(Date.now() + until);
  const subject = [{ name: 'commonName', value: name }];
  certificate.setSubject(subject);
  certificate.setIssuer(subject);
  certificate.sign(signer, forge.md.sha256.create());
  const cert = forge.pki.certificateToPem(certificate);
  return { cert, key, der: new X509Certificate(cert).raw };
}
