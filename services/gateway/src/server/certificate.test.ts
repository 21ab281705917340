import { X509Certificate } from 'node:crypto';
import { copyFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createLogger } from '@cadastre/service';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { selfSignedFiles, serverCertificate, validityOf } from './certificate.js';

let dataDirectory = '';
let logged = '';
const destination = new Writable({
  write(chunk, _encoding, done) {
    logged += chunk;
    done();
  },
});
const logger = createLogger({ service: 'test', level: 'warn', destination });
beforeEach(async () => {
  logged = '';
  dataDirectory = await mkdtemp(join(tmpdir(), 'gateway-'));
});
afterEach(async () => {
  await rm(dataDirectory, { recursive: true });
});
const settings = () => ({ dataDirectory, certificateFile: undefined, certificateKeyFile: undefined });

it('creates and stores a self-signed certificate for this machine', async () => {
  const made = await serverCertificate(settings(), logger);
  const certificate = new X509Certificate(made.cert);
  expect(certificate.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
  expect(certificate.ca).toBe(true);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  for (const host of ['localhost', hostname()]) expect(certificate.checkHost(host)).toBeDefined();
  for (const ip of ['127.0.0.1', '::1']) expect(certificate.checkIP(ip)).toBeDefined();
  expect((await stat(selfSignedFiles(dataDirectory).key)).mode & 0o777).toBe(0o600);
  expect(await serverCertificate(settings(), logger)).toEqual(made);
});

it('uses the files that the settings name', async () => {
  const made = await serverCertificate(settings(), logger);
  const { cert, key } = selfSignedFiles(dataDirectory);
  const named = { dataDirectory: '/nowhere', certificateFile: cert, certificateKeyFile: key };
  expect(await serverCertificate(named, logger)).toEqual(made);
  await expect(serverCertificate({ ...named, certificateKeyFile: undefined }, logger)).rejects.toThrow(
    'set both or none',
  );
});

it.each<[string, (files: { cert: string; key: string }) => Promise<void>]>([
  ['the key of another certificate', (files) => copyFile(`${files.key}.other`, files.key)],
  ['a damaged key', (files) => writeFile(files.key, 'nonsense')],
  ['an empty certificate', (files) => writeFile(files.cert, '')],
  ['no key', (files) => rm(files.key)],
])('replaces a self-signed pair with %s, and warns', async (_what, breakPair) => {
  const files = selfSignedFiles(dataDirectory);
  await serverCertificate(settings(), logger);
  await copyFile(files.key, `${files.key}.other`);
  await rm(files.cert);
  await rm(files.key);
  const whole = await serverCertificate(settings(), logger);
  expect(logged).toBe('');
  await breakPair(files);
  const made = await serverCertificate(settings(), logger);
  expect(made.cert).not.toBe(whole.cert);
  expect(validityOf(made).until.getTime()).toBeGreaterThan(Date.now());
  expect(logged).toContain('the self-signed pair for HTTPS is broken: creating another');
  expect(await serverCertificate(settings(), logger)).toEqual(made);
});
