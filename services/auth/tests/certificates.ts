import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import forge from 'node-forge';

/** A self-signed certificate with its RSA key. */
export interface TestCertificate {
  key: forge.pki.rsa.PrivateKey;
  certificate: forge.pki.Certificate;
  der: Buffer;
}

/** Makes one that is valid from the first date to the second; with a new key unless one is given. */
export function makeCertificate(
  notBefore: string,
  notAfter: string,
  key: forge.pki.rsa.PrivateKey = forge.pki.rsa.generateKeyPair(2048).privateKey,
): TestCertificate {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.rsa.setPublicKey(key.n, key.e);
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date(notBefore);
  certificate.validity.notAfter = new Date(notAfter);
  const name = [{ name: 'commonName', value: 'example' }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.sign(key, forge.md.sha256.create());
  const der = Buffer.from(forge.asn1.toDer(forge.pki.certificateToAsn1(certificate)).getBytes(), 'latin1');
  return { key, certificate, der };
}

/** Signs a text as CMS in DER form; without `signed` the signature has no time. */
export function signCms(
  text: string,
  signer: TestCertificate,
  signed: Date | undefined,
  digest: string = forge.pki.oids.sha256!,
): Buffer {
  const message = forge.pkcs7.createSignedData();
  message.content = forge.util.createBuffer(text);
  message.addCertificate(signer.certificate);
  message.addSigner({
    key: signer.key,
    certificate: signer.certificate,
    digestAlgorithm: digest,
    authenticatedAttributes: [
      { type: forge.pki.oids.contentType!, value: forge.pki.oids.data! },
      { type: forge.pki.oids.messageDigest! },
      // The types of the library want a text; the library itself wants a date.
      ...(signed ? [{ type: forge.pki.oids.signingTime!, value: signed as unknown as string }] : []),
    ],
  });
  message.sign();
  return Buffer.from(forge.asn1.toDer(message.toAsn1()).getBytes(), 'latin1');
}

/** PEM form of CMS. */
export function toPem(der: Buffer, label: 'CMS' | 'PKCS7'): Buffer {
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n');
  return Buffer.from(`-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`);
}

/** A program of the system, not of a package. */
const opensslProgram = 'openssl';

/** Signs a text with a new elliptic-curve certificate by the openssl program, now; also returns its fingerprint. */
export function signWithOpenssl(text: string, form: 'PEM' | 'DER' | 'SMIME'): { signed: Buffer; fingerprint: string } {
  const directory = mkdtempSync(path.join(tmpdir(), 'cadastre-cms-'));
  const openssl = (...args: string[]) => execFileSync(opensslProgram, args, { cwd: directory, stdio: 'pipe' });
  try {
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key', '-out', 'cert'];
    openssl('req', '-x509', ...curve, '-days', '2', '-subj', '/CN=example');
    writeFileSync(path.join(directory, 'text'), text);
    const files = ['-signer', 'cert', '-inkey', 'key', '-in', 'text', '-out', 'signed'];
    openssl('cms', '-sign', '-nodetach', '-binary', '-md', 'sha256', ...files, '-outform', form);
    const fingerprint = openssl('x509', '-in', 'cert', '-noout', '-fingerprint', '-sha256').toString();
    return {
      signed: readFileSync(path.join(directory, 'signed')),
      fingerprint: fingerprint.split('=')[1]!.trim().replaceAll(':', '').toLowerCase(),
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
