import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { exampleAuth, exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';

const page = '<!doctype html><title>Cadastre</title>';
const script = 'console.log("registry")';
let directory: string;
let gateway: RunningGateway;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'web-'));
  await mkdir(join(directory, '-/assets'), { recursive: true });
  const files = {
    'index.html': page,
    '-/assets/index-1.js': script,
    '-/assets/index-1.js.br': brotliCompressSync(script),
    '-/assets/index-1.js.gz': gzipSync(script),
    'secret.key': 'secret',
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content);
  gateway = await startGateway({ reader: exampleReader, auth: exampleAuth }, { CADASTRE_WEB_DIR: directory });
});

afterAll(async () => {
  await gateway?.stop();
  await rm(directory, { recursive: true });
});

it.each([
  '/',
  '/-/query?q=x',
  '/-/object/TEST/person/XX1-TEST.json',
  '/-/secret.key',
  '/-/../secret.key',
  '/-/%2e%2e/x',
])('%s is the application, without inline scripts', async (path) => {
  const { status, headers, text } = await gateway.send(path);
  expect([status, headers['content-type'], text]).toEqual([200, 'text/html; charset=utf-8', page]);
  expect(headers['cache-control']).toBe('no-cache');
  const policy = headers['content-security-policy'];
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).not.toContain('unsafe');
  expect(policy).toContain("frame-ancestors 'none'");
});

it.each([
  [{}, undefined],
  [{ 'accept-encoding': 'identity' }, undefined],
  [{ 'accept-encoding': 'gzip, deflate' }, 'gzip'],
  [{ 'accept-encoding': 'gzip, deflate, br, zstd' }, 'br'],
  [{ 'accept-encoding': 'br;q=0, gzip;q=0.5' }, 'gzip'],
])('browsers cache an asset permanently; with %j its coding is %s', async (headers: Record<string, string>, coding) => {
  const answer = await gateway.send('/-/assets/index-1.js', { headers });
  expect([answer.status, answer.headers['content-encoding']]).toEqual([200, coding]);
  expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(answer.headers['cache-control']).toContain('immutable');
  expect(answer.headers.vary).toBe('Accept-Encoding');
  if (coding === undefined) expect(answer.text).toBe(script);
});

test('browsers revalidate a page, and do not download it again', async () => {
  const { headers } = await gateway.send('/');
  const again = await gateway.send('/-/account', { headers: { 'if-none-match': String(headers.etag) } });
  expect([again.status, again.headers['cache-control'], again.text]).toEqual([304, 'no-cache', '']);
});

test('there is no asset but those that were built', async () => {
  expect((await gateway.send('/-/assets/index-2.js')).status).toBe(404);
  expect((await gateway.send('/-/assets/../../secret.key')).status).toBe(404);
});

test('the cookie of a session that has ended opens pages all the same', async () => {
  const headers = { cookie: '__Host-cadastre-session=ended' };
  expect((await gateway.send('/', { headers })).status).toBe(200);
});

test('pages are only read', async () => {
  const answer = await gateway.send('/-/account', { method: 'POST' });
  expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test('a refusal of a script does not make the browser ask for a password', async () => {
  const path = '/TEST/person/XX1-TEST';
  const headers = { authorization: 'Basic wrong' };
  expect((await gateway.send(path, { headers })).headers['www-authenticate']).toContain('Basic');
  const script = await gateway.send(path, { headers: { ...headers, 'sec-fetch-dest': 'empty' } });
  expect([script.status, script.headers['www-authenticate']]).toEqual([401, 'Cookie realm="registry"']);
});

test('a gateway without a web interface has no pages', async () => {
  const bare = await startGateway();
  expect((await bare.send('/')).status).toBe(404);
  await bare.stop();
});

const opened = { accept: 'text/html,application/xml;q=0.9,*/*;q=0.8', 'sec-fetch-dest': 'document' };

it.each<[what: string, path: string, headers: Record<string, string>, location: string | undefined]>([
  ['a browser', '/TEST/mntner/EXAMPLE-MNT', opened, '/-/object/TEST/mntner/EXAMPLE-MNT'],
  ['a browser', '/whois/TEST/mntner/EXAMPLE-MNT', opened, '/-/object/TEST/mntner/EXAMPLE-MNT'],
  ['a browser that wants a format', '/TEST/mntner/EXAMPLE-MNT.json', opened, undefined],
  ['a browser with a query', '/TEST/mntner/EXAMPLE-MNT?unfiltered', opened, undefined],
  ['a script of a page', '/TEST/mntner/EXAMPLE-MNT', { ...opened, 'sec-fetch-dest': 'empty' }, undefined],
  ['a program that accepts HTML', '/TEST/mntner/EXAMPLE-MNT', { accept: 'text/html, */*; q=.2' }, undefined],
])('%s that opens %s', async (_what, path, headers, location) => {
  // From the cache too.
  for (const _ of [1, 2, 3]) {
    const answer = await gateway.send(path, { headers });
    expect([answer.status, answer.headers.location]).toEqual(location ? [302, location] : [200, undefined]);
  }
});
