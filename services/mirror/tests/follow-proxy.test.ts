import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSettings } from '@cadastre/service';
import {
  type Authority,
  createAuthority,
  type ForwardProxy,
  startForwardProxy,
  testDatabase,
  testLogger,
} from '@cadastre/service/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { downloadFile, fetchText } from '../src/follow/download.js';
import { createMirrorService } from '../src/service.js';
import { mirrorSettings } from '../src/settings.js';
import { createCopy } from './copy.fixture.js';
import { type FileServer, startFileServer } from './publisher.fixture.js';
import { createRegistry } from './registry.fixture.js';

const host = 'files.example.net';
const options = { maxBytes: 1_000, signal: new AbortController().signal };

let authority: Authority;
let proxy: ForwardProxy;
let server: FileServer;

beforeAll(() => {
  authority = createAuthority();
});
afterAll(() => authority.remove());
beforeEach(async () => {
  proxy = await startForwardProxy();
  server = await startFileServer();
  proxy.hosts.set(`${host}:80`, Number(server.url('/').port));
});
afterEach(async () => {
  await proxy.close();
  await server.close();
});

const reach = () => ({
  ownNetwork: false,
  proxy: proxy.url,
  ca: readFileSync(path.join(authority.directory, 'ca.crt'), 'utf8'),
});

/** Serves a text by https as `host`, to the proxy. */
async function serveByTls(certified: string, text: string) {
  const { tlsCertFile, tlsKeyFile } = authority.certify(certified);
  const tls = { cert: readFileSync(tlsCertFile), key: readFileSync(tlsKeyFile) };
  const secure = createServer(tls, (_request, response) => response.end(text));
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  proxy.hosts.set(`${host}:443`, (secure.address() as AddressInfo).port);
  return { close: () => secure.close().closeAllConnections() };
}

test('a file by https comes through a tunnel of the proxy', async () => {
  const secure = await serveByTls(host, 'text');
  try {
    const fetched = await fetchText(new URL(`https://${host}/a`), reach(), options);
    expect(fetched).toEqual({ isNew: true, text: 'text' });
    expect(proxy.requests).toEqual([`CONNECT ${host}:443`]);
    const long = downloadFile(new URL(`https://${host}/a`), reach(), { ...options, maxBytes: 3 });
    await expect(long).rejects.toMatchObject({ kind: 'refused', message: expect.stringContaining('longer than') });
  } finally {
    secure.close();
  }
});

test('the certificate in a tunnel must be that of the host', async () => {
  const secure = await serveByTls('other.example.net', 'text');
  try {
    const fetched = fetchText(new URL(`https://${host}/a`), reach(), options);
    await expect(fetched).rejects.toMatchObject({ kind: 'transient', message: expect.stringMatching(/certificate/) });
  } finally {
    secure.close();
  }
});

test('a file by http comes through the proxy without a tunnel, and its redirects too', async () => {
  const secure = await serveByTls(host, 'text');
  server.redirects.set('/a', `https://${host}/b`);
  try {
    const fetched = await fetchText(new URL(`http://${host}/a`), reach(), options);
    expect(fetched).toMatchObject({ text: 'text' });
    expect(proxy.requests).toEqual([`GET http://${host}/a`, `CONNECT ${host}:443`]);
  } finally {
    secure.close();
  }
});

test('the service follows others through the proxy, but an origin of its own network directly', async () => {
  const database = await testDatabase(new URL('../migrations/', import.meta.url));
  const folder = await mkdtemp(path.join(tmpdir(), 'cadastre-origins-'));
  const file = path.join(folder, 'origins.json');
  const dump = 'route:  192.0.2.0/24\norigin: AS64500\nsource: EXAMPLE\n';
  server.files.set('/public', Buffer.from(dump)).set('/own', Buffer.from(dump));
  const origins = {
    'A-GRS': { dump: { urls: [`http://${host}/public`], source: 'EXAMPLE' } },
    'B-GRS': { dump: { urls: [server.url('/own').href], source: 'EXAMPLE', ownNetwork: true } },
  };
  await writeFile(file, JSON.stringify(origins));
  const settings = readSettings(mirrorSettings, {
    CADASTRE_LISTEN: '127.0.0.1:0',
    CADASTRE_OBJECTS_ADDRESS: '127.0.0.1:1',
    CADASTRE_DATABASE_URL: database.url,
    CADASTRE_GRS_SOURCES: 'A-GRS,B-GRS',
    CADASTRE_MIRROR_ORIGINS_FILE: file,
    CADASTRE_EGRESS_PROXY: proxy.url,
  });
  const copy = createCopy();
  const objects = { ...createRegistry().objects, ...copy };
  const service = await createMirrorService(settings, { logger: testLogger(), objects });
  try {
    await service.start();
    await expect.poll(() => copy.calls).toEqual(['load', 'load']);
    expect(server.requests.toSorted()).toEqual(['/own 200', '/public 200']);
    expect(proxy.requests).toEqual([`GET http://${host}/public`]);
  } finally {
    await service.stop();
    await database.drop();
    await rm(folder, { recursive: true });
  }
});

test.each([
  ['https', 403, 'cannot be read: the egress proxy answered with status 403'],
  ['https', 407, 'cannot be read: the egress proxy answered with status 407'],
  ['http', 407, 'cannot be read: the egress proxy answered with status 407'],
  ['http', 502, 'the server or the egress proxy answered with status 502'],
])('a refusal of the proxy is a transient fault: %s, %i', async (scheme, status, reason) => {
  proxy.fault = (connection) => connection.end(`HTTP/1.1 ${status} Text\r\ncontent-length: 4\r\n\r\nText`);
  const fetched = fetchText(new URL(`${scheme}://${host}/a`), reach(), options);
  const message = expect.stringMatching(new RegExp(`^${scheme}://${host}/a:? ${reason}$`));
  await expect(fetched).rejects.toMatchObject({ kind: 'transient', message });
});

test.each([
  'https://10.0.0.1/a',
  'http://[::1]/a',
  'https://localhost/a',
  'http://objects.example.svc.cluster.local/a',
])('%s is refused as without a proxy', async (url) => {
  const fetched = fetchText(new URL(url), reach(), options);
  const message = expect.stringContaining('which is no public address; see "ownNetwork"');
  await expect(fetched).rejects.toMatchObject({ kind: 'refused', message });
  expect(proxy.requests).toEqual([]);
});
