import { generateKeyPair, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { pki } from 'node-forge';

/** A certificate and its key, PEM. */
export interface CertificateWithKey {
  readonly cert: string;
  readonly key: string;
}

export interface SelfSignedOptions {
  readonly commonName: string;
  /** Hexadecimal, positive, without a leading zero byte (DER). */
  readonly serialNumber: string;
  readonly from: Date;
  readonly until: Date;
  /** As node-forge has them. */
  readonly extensions?: object[];
}

/** Makes a certificate with a new RSA key, signed by that key. */
export async function makeSelfSigned(options: SelfSignedOptions): Promise<CertificateWithKey> {
  // Most starts need no certificate, and the library takes long to load.
  const { default: forge } = await import('node-forge');
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  const { n, e } = forge.pki.privateKeyFromPem(key);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(n, e);
  certificate.serialNumber = options.serialNumber;
  certificate.validity.notBefore = options.from;
  certificate.validity.notAfter = options.until;
  const name = [{ name: 'commonName', value: options.commonName }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  if (options.extensions) certificate.setExtensions(options.extensions);
  // OpenSSL signs in a hundredth of the time that the library needs.
  const content = () => Buffer.from(forge.asn1.toDer(certificate.tbsCertificate).getBytes(), 'latin1');
  const signer = { sign: () => sign('sha256', content(), key).toString('latin1') };
  certificate.sign(signer as unknown as pki.rsa.PrivateKey, forge.md.sha256.create());
  return { cert: forge.pki.certificateToPem(certificate), key };
}
