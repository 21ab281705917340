import { createHash, X509Certificate } from 'node:crypto';
import type { CertificateFacts, Unreadable } from './certificate-model.js';

/** Reads a PEM certificate, which must be one. */
export function readX509(pem: string): CertificateFacts | Unreadable {
  if (pem.split('-----BEGIN CERTIFICATE-----').length > 2) {
    return 'several-keys';
  }
  try {
    const certificate = new X509Certificate(pem);
    return { method: 'X509', owners: [owner(certificate.subject)], fingerprint: fingerprint(certificate.raw) };
  } catch {
    return 'invalid';
  }
}

/** Names of subject fields that the database writes in its own way. */
const fieldNames: Readonly<Record<string, string>> = { emailAddress: 'EMAILADDRESS', street: 'STREETADDRESS' };

/** "/C=NL/O=Example/CN=example.net" */
function owner(subject: string): string {
  const fields = subject.split(/\n|(?<!\\)\+/).map((field) => {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(field) ?? [];
    return `/${fieldNames[name] ?? name}=${value.replace(/\\(.)/g, '$1')}`;
  });
  return fields.join('');
}

/** The MD5 of the DER form names the certificate; it secures nothing. */
function fingerprint(der: Buffer): string {
  const hex = createHash('md5').update(der).digest('hex').toUpperCase();
  return (hex.match(/../g) ?? []).join(':');
}
