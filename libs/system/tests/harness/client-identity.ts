import forge from 'node-forge';
import type { CertificateWithKey } from '../../../../services/gateway/src/listening/self-signed.js';

/** CMS SignedData with the text inside, in PEM form. */
export function cmsSigned(text: string, { cert, key }: CertificateWithKey, signed = new Date()): string {
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
