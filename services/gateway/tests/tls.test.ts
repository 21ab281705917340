import { X509Certificate } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CertificateWithKey } from '../src/server/self-signed.js';
import { selfSignedClient as selfSigned } from './client-identity.fixture.js';
import { exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';
import { openConnection } from './raw-request.fixture.js';

async function handshake(port: number | undefined, options: ConnectionOptions = {}) {
  const socket = (await openConnection(port, options)) as TLSSocket;
  const agreed = {
    protocol: socket.getProtocol(),
    cipher: socket.getCipher().name,
    alpn: socket.alpnProtocol,
    subject: socket.getPeerX509Certificate()?.subject,
  };
  socket.destroy();
  return agreed;
}

describe('both ports for HTTPS', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway({ reader: exampleReader });
  });
  afterAll(() => gateway.stop());
  const ports = () => [gateway.gateway.ports().https, gateway.gateway.ports().certificate];

  it.each([
    ['TLSv1.2', 'TLSv1.2'],
    ['TLSv1.3', 'TLSv1.3'],
  ] as const)('speak %s', async (maxVersion, protocol) => {
    for (const port of ports()) expect(await handshake(port, { maxVersion })).toMatchObject({ protocol });
  });

  it('refuse older versions', async () => {
    const old: ConnectionOptions = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
    for (const port of ports()) await expect(handshake(port, old)).rejects.toThrow();
  });

  it.each([
    ['without forward secrecy', 'AES128-GCM-SHA256'],
    ['without authenticated encryption', 'ECDHE-RSA-AES128-SHA256'],
  ])('refuse ciphers %s', async (_what, ciphers) => {
    for (const port of ports()) await expect(handshake(port, { maxVersion: 'TLSv1.2', ciphers })).rejects.toThrow();
  });

  it('offer HTTP/2', async () => {
    for (const port of ports())
      expect(await handshake(port, { ALPNProtocols: ['h2', 'http/1.1'] })).toMatchObject({ alpn: 'h2' });
  });
});

describe('a new certificate', async () => {
  const [first, second] = [await selfSigned('first'), await selfSigned('second')];
  let directory = '';
  let gateway: RunningGateway | undefined;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'certificate-'));
  });
  afterEach(async () => {
    await gateway?.stop();
    gateway = undefined;
    await rm(directory, { recursive: true });
  });

  async function start(folder: string) {
    gateway = await startGateway(
      { reader: exampleReader },
      {
        CADASTRE_HTTPS_CERT_FILE: join(folder, 'tls.crt'),
        CADASTRE_HTTPS_KEY_FILE: join(folder, 'tls.key'),
        CADASTRE_OPERATIONS: '127.0.0.1:0',
      },
      undefined,
      // A connection waits for the new certificate before its request.
      { certificateCheck: 20, headersTimeout: 600_000, requestTimeout: 600_000 },
    );
    return gateway;
  }
  async function store(folder: string, { cert, key }: CertificateWithKey) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'tls.crt'), cert);
    await writeFile(join(folder, 'tls.key'), key);
  }
  const shown = async (port: number | undefined) => (await handshake(port)).subject;
  const isShown = (name: string) =>
    expect
      .poll(async () => {
        const { https, certificate } = gateway!.gateway.ports();
        return [await shown(https), await shown(certificate)];
      })
      .toEqual([`CN=${name}`, `CN=${name}`]);
  const metric = async (name: string) => {
    const text = await (await fetch(`http://${gateway!.gateway.operationsAddress()}/metrics`)).text();
    return Number(new RegExp(`^${name}\\{.*\\} (.*)$`, 'm').exec(text)?.[1]);
  };

  it('that overwrites the files is shown to new connections, while old ones go on', async () => {
    await store(directory, first);
    const { gateway: service } = await start(directory);
    const old = await openConnection(service.ports().https, {});
    await store(directory, second);
    await isShown('second');
    expect(await metric('cadastre_https_certificate_expiry_timestamp_seconds')).toBe(
      new X509Certificate(second.cert).validToDate.getTime() / 1000,
    );
    old.write('GET /metadata/sources HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(String(await new Promise((resolve) => old.once('data', resolve)))).toMatch(/^HTTP\/1\.1 200/);
    old.destroy();
  });

  it('that replaces another by a symbolic link, as in Kubernetes, is used', async () => {
    await store(join(directory, '..1'), first);
    await store(join(directory, '..2'), second);
    await symlink('..1', join(directory, '..data'));
    for (const name of ['tls.crt', 'tls.key']) await symlink(join('..data', name), join(directory, name));
    await start(directory);
    await isShown('first');
    await symlink('..2', join(directory, '..next'));
    await rename(join(directory, '..next'), join(directory, '..data'));
    await isShown('second');
  });

  it.each<[string, CertificateWithKey]>([
    ['is none', { cert: 'nonsense', key: second.key }],
    ['has another key', { cert: second.cert, key: first.key }],
    ['has expired', await selfSigned('expired', -7_200_000, -3_600_000)],
    ['is not valid yet', await selfSigned('early', 3_600_000, 7_200_000)],
  ])('that %s leaves the old one in use, until a good one comes', async (_what, bad) => {
    await store(directory, first);
    await start(directory);
    await store(directory, bad);
    await expect.poll(() => metric('cadastre_https_certificate_failures_total')).toBeGreaterThan(0);
    await isShown('first');
    await store(directory, second);
    await isShown('second');
  });

  it.each<[string, CertificateWithKey | undefined]>([
    ['that is missing', undefined],
    ['that is none', { cert: 'nonsense', key: first.key }],
    ['of another key', { cert: first.cert, key: second.key }],
  ])('at start: one %s is said by the names of the settings', async (_what, pair) => {
    if (pair) await store(directory, pair);
    await expect(start(directory)).rejects.toThrow('CADASTRE_HTTPS_CERT_FILE');
  });
});
