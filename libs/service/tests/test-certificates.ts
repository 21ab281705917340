import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Paths of the files of one certificate, as settings name them. */
export interface CertificateFiles {
  tlsCertFile: string;
  tlsKeyFile: string;
  tlsCaFile: string;
}

/** A certificate authority for one test file, in a directory of its own. */
export interface Authority {
  /** Issues a certificate for localhost and these DNS names and URIs. */
  certify(name: string, names?: string[]): CertificateFiles;
  directory: string;
  remove(): void;
}

/** Makes an authority; needs openssl. */
export function createAuthority(): Authority {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-certificates-'));
  const file = (name: string) => join(directory, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  openssl('req', '-x509', ...newKey, '-keyout', file('ca.key'), '-out', file('ca.crt'), '-subj', '/CN=Test CA');
  return {
    directory,
    certify(name, names = [name]) {
      const [key, request, certificate, extension] = ['key', 'csr', 'crt', 'ext'].map((end) => file(`${name}.${end}`));
      const alternatives = ['localhost', ...names].map((one) => (one.includes('://') ? `URI:${one}` : `DNS:${one}`));
      writeFileSync(extension!, `subjectAltName=${alternatives.join(',')},IP:127.0.0.1\n`);
      openssl('req', ...newKey, '-keyout', key!, '-out', request!, '-subj', '/CN=gateway');
      const signed = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-CAcreateserial', '-extfile', extension!];
      openssl('x509', '-req', '-in', request!, ...signed, '-days', '2', '-out', certificate!);
      return { tlsCertFile: certificate!, tlsKeyFile: key!, tlsCaFile: file('ca.crt') };
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** Replaces a certificate, as a renewal does. */
export function replaceCertificate(files: CertificateFiles, by: CertificateFiles): void {
  copyFileSync(by.tlsKeyFile, files.tlsKeyFile);
  copyFileSync(by.tlsCertFile, files.tlsCertFile);
}
