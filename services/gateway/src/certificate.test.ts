import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { selfSignedFiles, serverCertificate } from './certificate.js';

let dataDirectory = '';
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'gateway-'));
});
afterEach(async () => {
  await rm(dataDirectory, { recursive: true });
});
const settings = () => ({ dataDirectory, certificateFile: undefined, certificateKeyFile: undefined });

it('makes a self-signed certificate for this machine and keeps it', async () => {
  const made = await serverCertificate(settings());
  const certificate = new X509Certificate(made.cert);
  expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  for (const host of ['localhost', hostname()]) expect(certificate.checkHost(host)).toBeDefined();
  for (const ip of ['127.0.0.1', '::1']) expect(certificate.checkIP(ip)).toBeDefined();
  expect((await stat(selfSignedFiles(dataDirectory).key)).mode & 0o777).toBe(0o600);
  expect(await serverCertificate(settings())).toEqual(made);
});

it('uses the files that the settings name', async () => {
  const made = await serverCertificate(settings());
  const { cert, key } = selfSignedFiles(dataDirectory);
  const named = { dataDirectory: '/nowhere', certificateFile: cert, certificateKeyFile: key };
  expect(await serverCertificate(named)).toEqual(made);
  await expect(serverCertificate({ ...named, certificateKeyFile: undefined })).rejects.toThrow('set both or none');
});
