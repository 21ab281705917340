import { createPrivateKey, generateKeyPair, randomBytes, X509Certificate } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SettingsError } from '@cadastre/service';
import forge from 'node-forge';
import type { GatewaySettings } from './settings.js';

/** Certificate and key for HTTPS, PEM. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

type CertificateSettings = Pick<GatewaySettings, 'certificateFile' | 'certificateKeyFile' | 'dataDirectory'>;

const dayMs = 86_400_000;
const lifetimeDays = 397;
const renewBeforeDays = 30;

/**
 * The certificate that the settings name; else the self-signed one in the data directory, which is made when it is
 * missing or about to expire. Throws a SettingsError when only one of certificate and key is set, or they cannot be
 * read or do not belong together.
 */
export async function serverCertificate(settings: CertificateSettings): Promise<ServerCertificate> {
  const { certificateFile, certificateKeyFile } = settings;
  if (certificateFile && certificateKeyFile) {
    return settingsCertificate(certificateFile, certificateKeyFile);
  }
  if (certificateFile || certificateKeyFile) {
    throw new SettingsError(['CADASTRE_HTTPS_CERT_FILE and CADASTRE_HTTPS_KEY_FILE: set both or none']);
  }
  return (await keptCertificate(settings.dataDirectory)) ?? (await makeCertificate(settings.dataDirectory));
}

/** When a certificate may be used. Throws an Error when it is none, or the key is not its own. */
export function validityOf({ cert, key }: ServerCertificate): { from: Date; until: Date } {
  const certificate = new X509Certificate(cert);
  if (!certificate.checkPrivateKey(createPrivateKey(key))) throw new Error('the key is not that of the certificate');
  return { from: certificate.validFromDate, until: certificate.validToDate };
}

async function settingsCertificate(certificateFile: string, keyFile: string): Promise<ServerCertificate> {
  const pair = {
    cert: await readSetting('CADASTRE_HTTPS_CERT_FILE', certificateFile),
    key: await readSetting('CADASTRE_HTTPS_KEY_FILE', keyFile),
  };
  try {
    validityOf(pair);
    return pair;
  } catch (error) {
    throw new SettingsError([`CADASTRE_HTTPS_CERT_FILE and CADASTRE_HTTPS_KEY_FILE: ${(error as Error).message}`]);
  }
}

async function readSetting(name: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new SettingsError([`${name}: ${(error as Error).message}`]);
  }
}

/** Where the self-signed certificate is kept. */
export function selfSignedFiles(dataDirectory: string): { cert: string; key: string } {
  return { cert: join(dataDirectory, 'certificate.pem'), key: join(dataDirectory, 'certificate.key') };
}

async function keptCertificate(dataDirectory: string): Promise<ServerCertificate | undefined> {
  const files = selfSignedFiles(dataDirectory);
  try {
    const pair = { cert: await readFile(files.cert, 'utf8'), key: await readFile(files.key, 'utf8') };
    const lasts = new X509Certificate(pair.cert).validToDate.getTime() - Date.now();
    return lasts > renewBeforeDays * dayMs ? pair : undefined;
  } catch {
    return undefined;
  }
}

async function makeCertificate(dataDirectory: string): Promise<ServerCertificate> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  const pair = { cert: selfSigned(key), key };
  const files = selfSignedFiles(dataDirectory);
  await mkdir(dataDirectory, { recursive: true });
  await writeWhole(files.key, pair.key, 0o600);
  await writeWhole(files.cert, pair.cert, 0o644);
  return pair;
}

async function writeWhole(path: string, text: string, mode: number): Promise<void> {
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, text, { mode });
  await rename(unfinished, path);
}

function selfSigned(keyPem: string): string {
  const privateKey = forge.pki.privateKeyFromPem(keyPem);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(privateKey.n, privateKey.e);
  // Positive and without a leading zero byte, as DER wants it.
  certificate.serialNumber = `40${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = new Date(Date.now() - dayMs);
  certificate.validity.notAfter = new Date(Date.now() + lifetimeDays * dayMs);
  const name = [{ name: 'commonName', value: 'localhost' }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions(extensions());
  certificate.sign(privateKey, forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}

function extensions(): object[] {
  const dnsName = 2;
  const ipAddress = 7;
  const names = [...new Set(['localhost', hostname()])].map((value) => ({ type: dnsName, value }));
  const addresses = ['127.0.0.1', '::1'].map((ip) => ({ type: ipAddress, ip }));
  return [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, keyCertSign: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames: [...names, ...addresses] },
    { name: 'subjectKeyIdentifier' },
  ];
}
