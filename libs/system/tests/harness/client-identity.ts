import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';

/** A key and its self-signed certificate. */
export interface ClientIdentity {
  /** PEM. */
  cert: string;
  key: string;
}

const hourMs = 3_600_000;

/** A self-signed certificate; default validity: one hour. Times are offsets from now. */
export function selfSigned(name: string, fromMs = -hourMs, untilMs = hourMs): ClientIdentity {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  const signer = forge.pki.privateKeyFromPem(key);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(signer.n, signer.e);
  certificate.serialNumber = '4001';
  certificate.validity.notBefore = new Date(Date.now() + fromMs);
  certificate.validity.notAfter = new Date(Date.now() + untilMs);
  const subject = [{ name: 'commonName', value: name }];
  certificate.setSubject(subject);
  certificate.setIssuer(subject);
  certificate.sign(signer, forge.md.sha256.create());
  return { cert: forge.pki.certificateToPem(certificate), key };
}

/** CMS SignedData with the text inside, in PEM form. */
export function cmsSigned(text: string, { cert, key }: ClientIdentity, signed = new Date()): string {
  const certificate = forge.pki.certificateFromPem(cert);
  const message = forge.pkcs7.createSignedData();
  message.content = forge.util.createBuffer(text, 'utf8');
  message.addCertificate(certificate);
  message.addSigner({
    key: forge.pki.privateKeyFromPem(key),
    certificate,
    digestAlgorithm: forge.pki.oids.sha256!,
    authenticatedAttributes: [
      { type: forge.pki.oids.contentType!, value: forge.pki.oids.data! },
      { type: forge.pki.oids.messageDigest! },
      // The library accepts a Date, but its types only text.
      { type: forge.pki.oids.signingTime!, value: signed as unknown as string },
    ],
  });
  message.sign();
  return forge.pem.encode({
    type: 'CMS',
    body: forge.asn1.toDer(message.toAsn1()).getBytes(),
  } as forge.pem.ObjectPEM);
}

/** The attributes of a key-cert object. */
export function keyCertText(name: string, armour: string): string {
  const lines = armour
    .trim()
    .split(/\r?\n/)
    .map((line) => `certif:         ${line}`.trimEnd());
  return `key-cert:       ${name}\n${lines.join('\n')}\nmnt-by:         EXAMPLE-MNT\nsource:         TEST\n`;
}
