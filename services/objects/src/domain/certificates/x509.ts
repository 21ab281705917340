import { createHash, X509Certificate } from 'node:crypto';
import type { CertificateFacts, Unreadable } from './material.js';

/** Reads a certificate in DER form. Run it on a worker thread, after `exceededDerBound`. */
export function readX509(der: Uint8Array, now: Date): CertificateFacts | Unreadable {
  const certificate = parse(der);
  return certificate === undefined ? 'invalid' : describe(certificate, now);
}

/** The SHA-256 fingerprint of a certificate in DER form, in lower-case hex; undefined for other data. */
export function x509Fingerprint(der: Uint8Array): string | undefined {
  const certificate = parse(der);
  return certificate && sha256(certificate);
}

function parse(der: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined;
  }
}

function describe(certificate: X509Certificate, now: Date): CertificateFacts | Unreadable {
  const key = publicKey(certificate);
  if (key === undefined) return 'invalid';
  const bits = key.asymmetricKeyDetails?.modulusLength;
  return {
    method: 'X509',
    owners: [owner(certificate.subject)],
    fingerprint: fingerprint(certificate.raw),
    keyFingerprint: sha256(certificate),
    signingSubkeys: [],
    expired: certificate.validToDate <= now,
    revoked: false,
    algorithm: algorithmNames[key.asymmetricKeyType ?? ''],
    ...(bits !== undefined && { bits }),
    ...(certificate.signatureAlgorithm !== undefined && { signatureAlgorithm: certificate.signatureAlgorithm }),
  };
}

function publicKey(certificate: X509Certificate): X509Certificate['publicKey'] | undefined {
  try {
    return certificate.publicKey;
  } catch {
    return undefined;
  }
}

function sha256(certificate: X509Certificate): string {
  return certificate.fingerprint256.replaceAll(':', '').toLowerCase();
}

/** The algorithms that can prove possession in a handshake, by their names in Node. */
const algorithmNames: Readonly<Record<string, string>> = {
  rsa: 'RSA',
  'rsa-pss': 'RSA',
  dsa: 'DSA',
  ec: 'ECDSA',
  ed25519: 'Ed25519',
  ed448: 'Ed448',
};

/** Names of subject fields that the database spells differently. */
const fieldNames: Readonly<Record<string, string>> = { emailAddress: 'EMAILADDRESS', street: 'STREETADDRESS' };

/** "/C=NL/O=Example/CN=example.net" */
function owner(subject: string): string {
  const fields = subject.split(/\n|(?<!\\)\+/).map((field) => {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(field) ?? [];
    return `/${fieldNames[name] ?? name}=${value.replace(/\\(.)/g, '$1')}`;
  });
  return fields.join('');
}

/** The MD5 of the DER form names the certificate; it protects nothing. */
function fingerprint(der: Buffer): string {
  const hex = createHash('md5').update(der).digest('hex').toUpperCase();
  return (hex.match(/../g) ?? []).join(':');
}
