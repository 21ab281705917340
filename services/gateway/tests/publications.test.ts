import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exampleReader, type RunningGateway, type SendOptions, startGateway } from './gateway.fixture.js';

const snapshotName = `nrtm-snapshot.2.EXAMPLE.43ef4645-8dd4-4352-878e-390d7acc11e4.${'0'.repeat(32)}.json.gz`;
const snapshot = gzipSync(randomBytes(100_000));
const largeName = snapshotName.replace('.2.', '.3.');
const large = gzipSync(randomBytes(1_000_000));
const notification = 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl';
const immutable = 'public, max-age=604800, immutable';

let directory: string;
let gateway: RunningGateway;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'publications-'));
  const store = async (path: string, content: string | Buffer) => {
    await mkdir(join(directory, path, '..'), { recursive: true });
    await writeFile(join(directory, path), content);
  };
  await store('nrtmv4/EXAMPLE/update-notification-file.jose', notification);
  await store(`nrtmv4/EXAMPLE/${snapshotName}`, snapshot);
  await store(`nrtmv4/EXAMPLE/${largeName}`, large);
  await store('nrtmv4/EXAMPLE/nrtm-delta.3.json', '\x1e{}\n');
  await store('nrtmv4/EXAMPLE/.being-written', 'part');
  await store('nrtmv4/EXAMPLE-NONAUTH/update-notification-file.jose', notification);
  await store('nrtmv4/UNFINISHED/nrtm-delta.1.json.gz', '');
  await store('.dumps-1/example.db.gz', gzipSync('# terms\n'));
  await store('.dumps-1/EXAMPLE.CURRENTSERIAL', '42\n');
  await store('.dumps-1/split/example.db.route.gz', gzipSync('# terms\n'));
  await store('dumps/example-nonauth/EXAMPLE-NONAUTH.CURRENTSERIAL', '42\n');
  await symlink('../.dumps-1', join(directory, 'dumps/example'));
  await store('secret', 'not published');
  gateway = await startGateway({ reader: exampleReader }, { CADASTRE_PUBLICATIONS_DIR: directory });
});

afterAll(async () => {
  await gateway?.stop();
  await rm(directory, { recursive: true, force: true });
});

const file = (name: string) => `/nrtmv4/EXAMPLE/${name}`;

test.each([
  [file('update-notification-file.jose'), 'application/jose', 'no-cache'],
  [file(snapshotName), 'application/gzip', immutable],
  [file('nrtm-delta.3.json'), 'application/json-seq', immutable],
  ['/nrtmv4/EXAMPLE-NONAUTH/update-notification-file.jose', 'application/jose', 'no-cache'],
  ['/dumps/example/example.db.gz', 'application/gzip', 'no-cache'],
  ['/dumps/example/split/example.db.route.gz', 'application/gzip', 'no-cache'],
  ['/dumps/example/EXAMPLE.CURRENTSERIAL', 'text/plain;charset=utf-8', 'no-cache'],
  ['/whois/nrtmv4//EXAMPLE/nrtm-delta.3.json', 'application/json-seq', immutable],
])('%s is %s with the Cache-Control %s', async (path, type, cacheControl) => {
  const accepted = { 'accept-encoding': 'gzip, br' };
  const { status, headers } = await gateway.send(path, { headers: accepted });
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, type, cacheControl]);
  expect(headers).toMatchObject({ 'accept-ranges': 'bytes', 'access-control-allow-origin': '*' });
  expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined]);
  const again = await gateway.send(path, { headers: { ...accepted, 'if-none-match': headers.etag! } });
  expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
  const head = await gateway.send(path, { method: 'HEAD', connected: true });
  expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', headers['content-length']]);
});

/** The status, the Content-Range and the bytes of a file, over a connection. */
function fetchBytes(path: string, headers: Record<string, string> = {}) {
  const target = { host: '127.0.0.1', port: gateway.gateway.ports().https, path, headers };
  return new Promise<{ status: number | undefined; range: string | undefined; bytes: Buffer }>((resolve, reject) => {
    const request = https.get({ ...target, agent: false, rejectUnauthorized: false }, async (response) => {
      const { statusCode: status, headers } = response;
      resolve({ status, range: headers['content-range'], bytes: await buffer(response) });
    });
    request.on('error', reject);
  });
}

test.each([
  ['small', snapshotName, snapshot],
  ['large', largeName, large],
])('a %s file is sent byte for byte, whole or in parts', async (_, name, content) => {
  const whole = await fetchBytes(file(name));
  expect([whole.status, hash(whole.bytes)]).toEqual([200, hash(content)]);
  const ranges = ['bytes=0-999', 'bytes=1000-'];
  const parts = await Promise.all(ranges.map((range) => fetchBytes(file(name), { range })));
  expect(parts.map(({ status }) => status)).toEqual([206, 206]);
  expect(parts[0]!.range).toBe(`bytes 0-999/${content.length}`);
  expect(hash(Buffer.concat(parts.map(({ bytes }) => bytes)))).toBe(hash(content));
});

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test.each<[number, string, SendOptions]>([
  [416, 'a part behind the end', { headers: { range: 'bytes=999999999-' } }],
  [412, 'another state', { headers: { 'if-match': '"other"' } }],
  [405, 'a write', { method: 'PUT' }],
  [426, 'plain HTTP', { secure: false }],
])('%i is the answer to a request for %s', async (status, _, options) => {
  expect((await gateway.send(file(snapshotName), options)).status).toBe(status);
});

test('a long notification is compressed for those who accept it, and has the same tag for all', async () => {
  const busy = Array.from({ length: 200 }, (_, n) => Buffer.from(`{"version":${n},"hash":"0a"}`).toString('base64url'));
  const content = busy.join('');
  const path = '/nrtmv4/BUSY/update-notification-file.jose';
  await mkdir(join(directory, 'nrtmv4/BUSY'));
  await writeFile(join(directory, path), content);
  const ask = (headers: Record<string, string>) => gateway.send(path, { headers });
  const plain = await ask({});
  const ofBoth = { vary: 'Accept-Encoding', etag: plain.headers.etag, 'cache-control': 'no-cache' };
  expect(plain).toMatchObject({ status: 200, text: content, headers: { ...ofBoth, 'accept-ranges': 'bytes' } });
  expect(plain.headers['content-encoding']).toBeUndefined();
  for (const coding of ['gzip', 'br']) {
    const accepted = { 'accept-encoding': coding };
    const { status, headers, text } = await ask(accepted);
    expect({ status, text, headers }).toMatchObject({ status: 200, text: content, headers: ofBoth });
    expect([headers['content-encoding'], headers['accept-ranges']]).toEqual([coding, undefined]);
    expect(Number(headers['content-length'])).toBeLessThan(content.length / 2);
    expect((await ask({ ...accepted, 'if-none-match': headers.etag! })).status).toBe(304);
    const part = await ask({ ...accepted, range: 'bytes=0-3' });
    expect([part.status, part.text, part.headers['content-encoding']]).toEqual([206, content.slice(0, 4), undefined]);
  }
  await rm(join(directory, 'nrtmv4/BUSY'), { recursive: true });
});

test('tag and time are those of the file, for any condition', async () => {
  const name = file('update-notification-file.jose');
  const { etag = '', 'last-modified': time = '' } = (await gateway.send(name)).headers;
  const statusOf = async (headers: Record<string, string>) => (await gateway.send(name, { headers })).status;
  expect(await statusOf({ 'if-none-match': `"other", ${etag.replace('W/', '')}` })).toBe(304);
  expect(await statusOf({ 'if-modified-since': time })).toBe(304);
  expect(await statusOf({ 'if-unmodified-since': time })).toBe(200);
  expect(await statusOf({ 'if-none-match': '"other"', 'if-modified-since': time })).toBe(200);
  expect(await statusOf({ 'if-none-match': etag, range: 'bytes=0-3' })).toBe(304);
  const missing = await gateway.send(name, { headers: { 'if-none-match': '"other"', range: 'bytes=0-3' } });
  expect([missing.status, missing.text, missing.headers.etag]).toEqual([206, notification.slice(0, 4), etag]);
});

test('a replaced notification is visible soon after, and a removed one is unknown', async () => {
  const place = join(directory, 'nrtmv4/SOON');
  const path = '/nrtmv4/SOON/update-notification-file.jose';
  await mkdir(place);
  const replace = async (content: string) => {
    await writeFile(join(place, '.new'), content);
    await rename(join(place, '.new'), join(place, 'update-notification-file.jose'));
  };
  await replace('first');
  const { text, headers } = await gateway.send(path);
  expect(text).toBe('first');
  await replace('the second');
  const conditional = { headers: { 'if-none-match': headers.etag! } };
  await expect.poll(async () => (await gateway.send(path, conditional)).text).toBe('the second');
  await rm(place, { recursive: true });
  await expect.poll(async () => (await gateway.send(path)).status).toBe(404);
});

test('the files of a dump are never older than one that was read before', async () => {
  const place = join(directory, 'dumps/changing');
  await mkdir(place);
  for (const serial of ['1\n', '2\n', '3\n']) {
    await writeFile(join(place, 'CHANGING.CURRENTSERIAL'), serial);
    expect((await gateway.send('/dumps/changing/CHANGING.CURRENTSERIAL')).text).toBe(serial);
  }
  await rm(place, { recursive: true });
});

test('plain HTTP is refused for lists too, with the way to HTTPS', async () => {
  for (const path of ['/nrtmv4/', '/dumps/', '/dumps/example/EXAMPLE.CURRENTSERIAL']) {
    const { status, headers } = await gateway.send(path, { secure: false });
    expect([status, headers.upgrade]).toEqual([426, 'TLS/1.2, HTTP/1.1']);
  }
});

test.each([
  ['/nrtmv4/EXAMPLE/absent.json.gz'],
  ['/nrtmv4/EXAMPLE/.being-written'],
  ['/nrtmv4/EXAMPLE'],
  ['/nrtmv4/OTHER/update-notification-file.jose'],
  ['/nrtmv4/../secret'],
  ['/nrtmv4/%2e%2e/secret'],
  ['/nrtmv4/EXAMPLE/%2e%2e%2f%2e%2e%2fsecret'],
  ['/nrtmv4/EXAMPLE/..%5c..%5csecret'],
  ['/dumps/..%2f/secret'],
  ['/dumps/example/split'],
  ['/dumps/.dumps-1/example.db.gz'],
  ['/dumps/example/split/../../../secret'],
  [`/nrtmv4/EXAMPLE/${'a'.repeat(255)}`],
  [`/nrtmv4/EXAMPLE/${'a'.repeat(2_000)}`],
  ['/nrtmv4/EXAMPLE/%00'],
])('%s is no file', async (path) => {
  const { status, text } = await gateway.send(path);
  expect([400, 404]).toContain(status);
  expect(text).not.toContain('not published');
});

test('the list of mirrored sources has their names as texts of links, without unfinished ones', async () => {
  const { headers, text } = await gateway.send('/nrtmv4/');
  expect(headers['content-type']).toBe('text/html;charset=utf-8');
  const links = [...text.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, url, name]) => [url, name]);
  const base = `https://localhost:${gateway.gateway.ports().https}`;
  expect(links).toEqual(
    ['EXAMPLE', 'EXAMPLE-NONAUTH'].map((name) => [`${base}/nrtmv4/${name}/update-notification-file.jose`, name]),
  );
});

test('the list of dumps leads to each file', async () => {
  const { text } = await gateway.send('/dumps');
  const paths = [...text.matchAll(/href="https:\/\/localhost:\d+([^"]*)"/g)].map(([, path]) => path!);
  expect(paths).toEqual([
    '/dumps/example/EXAMPLE.CURRENTSERIAL',
    '/dumps/example/example.db.gz',
    '/dumps/example/split/example.db.route.gz',
    '/dumps/example-nonauth/EXAMPLE-NONAUTH.CURRENTSERIAL',
  ]);
  for (const path of paths) expect((await gateway.send(path)).status).toBe(200);
});

describe('without publications', () => {
  test.each([
    ['no directory', {}, 404],
    ['a directory that does not exist yet', { CADASTRE_PUBLICATIONS_DIR: join(tmpdir(), 'cadastre-absent') }, 200],
  ])('%s: files are unknown', async (_, env, listed) => {
    const other = await startGateway({ reader: exampleReader }, env);
    try {
      for (const path of ['/nrtmv4/', '/dumps']) expect((await other.send(path)).status).toBe(listed);
      for (const path of [file(snapshotName), '/dumps/example/example.db.gz']) {
        expect((await other.send(path)).status).toBe(404);
      }
    } finally {
      await other.stop();
    }
  });
});

test('a directory and a bucket contradict each other', async () => {
  const settings = { CADASTRE_PUBLICATIONS_DIR: tmpdir(), CADASTRE_PUBLICATIONS_URL: 'https://files.example.net' };
  await expect(startGateway({ reader: exampleReader }, settings)).rejects.toMatchObject({
    problems: ['CADASTRE_PUBLICATIONS_DIR, CADASTRE_PUBLICATIONS_URL: only one of them'],
  });
});

describe.each(['https://files.example.net/registry', 'https://files.example.net/registry/'])(
  'in a bucket at %s',
  (url) => {
    const at = 'https://files.example.net/registry';
    let leading: RunningGateway;

    beforeAll(async () => {
      leading = await startGateway({ reader: exampleReader }, { CADASTRE_PUBLICATIONS_URL: url });
    });
    afterAll(() => leading?.stop());

    test.each([
      ['/nrtmv4/EXAMPLE/update-notification-file.jose', '/nrtmv4/EXAMPLE/update-notification-file.jose'],
      [file(snapshotName), file(snapshotName)],
      ['/dumps/example/split/example.db.route.gz', '/dumps/example/split/example.db.route.gz'],
      ['/whois/dumps/example/example.db.gz', '/dumps/example/example.db.gz'],
      ['/nrtmv4', '/nrtmv4/'],
      ['/dumps', '/dumps/'],
    ])('%s redirects to %s there', async (path, target) => {
      const { status, headers } = await leading.send(path);
      expect(status).toBe(302);
      expect(headers).toMatchObject({ location: at + target, 'cache-control': 'no-cache' });
    });

    test.each([
      '/nrtmv4/EXAMPLE/.being-written',
      '/nrtmv4/EXAMPLE/..%2f..%2fsecret',
      '/nrtmv4/EX%20AMPLE/x.jose',
      '/dumps/example/split/..',
    ])('%s is 404', async (path) => {
      expect((await leading.send(path)).status).toBe(404);
    });
  },
);
