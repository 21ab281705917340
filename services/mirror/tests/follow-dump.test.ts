import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { testLogger } from '@cadastre/service/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DumpOptions, dumpOrigin } from '../src/follow/dump/origin.js';
import { mirrorWriter } from '../src/follow/mirror-writer.js';
import type { Mirrored, Progress } from '../src/follow/origin.js';
import { type Copy, createCopy } from './copy.fixture.js';
import { type FileServer, startFileServer } from './publisher.fixture.js';

const source = 'EXAMPLE-GRS';
const terms = '#\n# Terms of a registry\n#\n';

let server: FileServer;
let copy: Copy;
let state: object | undefined;
let saved: Progress[];
let stopping: AbortController;

beforeEach(async () => {
  server = await startFileServer();
  copy = createCopy();
  state = undefined;
  saved = [];
  stopping = new AbortController();
});
afterEach(() => server.close());

const route = (number: number, descr = 'Example') =>
  `route:          192.0.2.${number}/32\ndescr:          ${descr}\norigin:         AS64500\nsource:         EXAMPLE\n`;
const dumpOf = (...objects: string[]) => Buffer.from(terms + objects.map((text) => `\n${text}`).join(''), 'latin1');
const routes = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => route(from + n));

/** One update, like that of the service: with the last stored state, as JSON. */
async function update(changes: Partial<DumpOptions> = {}) {
  const mirrored: Mirrored = {
    source,
    writer: mirrorWriter({ source, objects: copy, unguarded: false, logger: testLogger() }),
    faults: 0,
    storedFiles: async () => ({}),
    save: async (progress) => {
      saved.push(progress);
      state = JSON.parse(JSON.stringify(progress.state));
    },
    signal: stopping.signal,
    logger: testLogger(),
    now: () => new Date(),
  };
  const usual = { urls: [server.url('/dump.gz')], source: 'EXAMPLE', everyMs: 86_400_000, encoding: 'latin1' } as const;
  const origin = dumpOrigin({ ...usual, reach: { ownNetwork: true }, ...changes });
  server.requests.length = 0;
  copy.calls.length = 0;
  return origin.update(state, mirrored);
}

/** The numbers of the routes in the copy. */
const numbers = () => [...copy.objects.keys()].map((name) => Number(/\.(\d+)\/32/.exec(name)![1]));
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

test.each([
  ['plain', (bytes: Buffer) => bytes],
  ['gzip', gzipSync],
  ['gzip of several members', (bytes: Buffer) => Buffer.concat([gzipSync(bytes), gzipSync('\n')])],
])('a dump is loaded, %s whatever its name says', async (_, packed) => {
  server.files.set('/dump.gz', packed(dumpOf(...routes(1, 20))));
  await update();
  expect(numbers()).toEqual(range(1, 20));
  expect(saved.at(-1)).toMatchObject({ applied: { loads: 1, puts: 20, deletes: 0, rejected: 0 } });
});

test('nothing is fetched again while the file stays, and nothing is loaded while its content does', async () => {
  const bytes = gzipSync(dumpOf(...routes(1, 20)));
  server.files.set('/dump.gz', bytes);
  await update();
  await update();
  expect([server.requests, copy.calls]).toEqual([['/dump.gz 304'], []]);
  // The same file at a server that gives it another tag.
  state = { ...state, files: [{ ...(state as { files: object[] }).files[0], validators: { etag: '"other"' } }] };
  await update();
  expect([server.requests, copy.calls]).toEqual([['/dump.gz 200'], []]);
  server.files.set('/dump.gz', gzipSync(dumpOf(...routes(2, 21))));
  await update();
  expect(numbers().sort((one, other) => one - other)).toEqual(range(2, 21));
  expect(saved.at(-1)?.applied).toEqual({ loads: 1, puts: 1, deletes: 1, rejected: 0 });
});

test('a server that only tells when it stored a file sends it once', async () => {
  const stored = 'Thu, 01 Jan 2026 00:00:00 GMT';
  const statuses: number[] = [];
  const plain = http.createServer(({ headers }, response) => {
    const status = headers['if-modified-since'] === stored ? 304 : 200;
    statuses.push(status);
    response.writeHead(status, { 'last-modified': stored });
    response.end(status === 200 ? dumpOf(...routes(1, 20)) : undefined);
  });
  plain.listen(0, '127.0.0.1');
  await once(plain, 'listening');
  try {
    const urls = [new URL(`http://127.0.0.1:${(plain.address() as AddressInfo).port}/dump`)];
    await update({ urls });
    await update({ urls });
    expect([statuses, copy.calls]).toEqual([[200, 304], []]);
  } finally {
    plain.closeAllConnections();
    plain.close();
  }
});

test('nothing but the serial is fetched while it stays', async () => {
  const serialUrl = server.url('/EXAMPLE.CURRENTSERIAL');
  server.files.set('/dump.gz', gzipSync(dumpOf(...routes(1, 20))));
  server.files.set('/EXAMPLE.CURRENTSERIAL', Buffer.from('42\n'));
  await update({ serialUrl });
  expect(saved.at(-1)?.version).toBe(42);
  server.files.set('/dump.gz', gzipSync(dumpOf(...routes(1, 21))));
  await update({ serialUrl });
  expect(server.requests).toEqual(['/EXAMPLE.CURRENTSERIAL 200']);
  server.files.set('/EXAMPLE.CURRENTSERIAL', Buffer.from('43\n'));
  await update({ serialUrl });
  expect([numbers(), saved.at(-1)?.version]).toEqual([range(1, 21), 43]);
});

test('files that are too large together are refused, whatever the size of each', async () => {
  const urls = ['/one', '/two'].map(server.url);
  const [one, two] = [dumpOf(...routes(1, 10)), dumpOf(...routes(11, 20))];
  server.files.set('/one', one);
  server.files.set('/two', two);
  const refused = { kind: 'refused', message: expect.stringContaining('longer than') };
  await expect(update({ urls, maxBytes: one.length + two.length - 1 })).rejects.toMatchObject(refused);
  await update({ urls, maxBytes: one.length + two.length });
  expect(numbers()).toEqual(range(1, 20));
});

test('files that are a source together are loaded together, also when one alone is new', async () => {
  const urls = ['/one', '/two', '/three'].map(server.url);
  server.files.set('/one', dumpOf(...routes(1, 10)));
  // A file may end without an empty line, or in the middle of one.
  server.files.set('/two', gzipSync(dumpOf(...routes(11, 15)).subarray(0, -1)));
  server.files.set('/three', dumpOf());
  await update({ urls });
  expect(numbers()).toEqual(range(1, 15));
  server.files.set('/three', dumpOf(...routes(16, 16)));
  await update({ urls });
  expect(numbers()).toEqual(range(1, 16));
  expect(server.requests.filter((request) => request.endsWith('200')).sort()).toEqual([
    '/one 200',
    '/three 200',
    '/two 200',
  ]);
  await update({ urls });
  expect([server.requests.every((request) => request.endsWith('304')), copy.calls]).toEqual([true, []]);
});

test('another list of files is another dump', async () => {
  server.files.set('/dump.gz', dumpOf(...routes(1, 20)));
  server.files.set('/other.gz', dumpOf(...routes(1, 21)));
  await update();
  await update({ urls: [server.url('/other.gz')] });
  expect(numbers()).toEqual(range(1, 21));
});

test.each([
  ['latin1', 'latin1'],
  ['utf8', 'utf8'],
] as const)('texts are %s as the operator says', async (encoding, bytes) => {
  server.files.set('/dump.gz', Buffer.from(`${terms}\n${route(1, 'Exämple')}`, bytes));
  await update({ encoding });
  expect([...copy.objects.values()].join()).toContain('Exämple');
});

test('a dump without objects, or without many of them, changes nothing and is refused', async () => {
  server.files.set('/dump.gz', dumpOf(...routes(1, 20)));
  await update();
  for (const [left, reason] of [
    [[], 'The origin has no object, the copy has 20'],
    [routes(1, 17), 'The origin lacks 3 of the 20 objects of the copy'],
  ] as const) {
    server.files.set('/dump.gz', dumpOf(...left));
    await expect(update()).rejects.toMatchObject({ kind: 'refused', message: reason });
    expect(numbers()).toEqual(range(1, 20));
  }
  server.files.set('/dump.gz', dumpOf(...routes(1, 18)));
  await update();
  expect(numbers()).toEqual(range(1, 18));
});

const bomb = gzipSync(Buffer.alloc(64 << 20, '#'));

test.each([
  ['is cut off', (bytes: Buffer) => gzipSync(bytes).subarray(0, -20), 'cannot be unpacked'],
  ['has a wrong byte', (bytes: Buffer) => flipped(gzipSync(bytes), 40), 'cannot be unpacked'],
  ['is a bomb', () => bomb, 'unpacks to more than 100 times its length'],
])('a dump that %s changes nothing and is refused', async (_, broken, reason) => {
  server.files.set('/dump.gz', gzipSync(dumpOf(...routes(1, 20))));
  await update();
  server.files.set('/dump.gz', broken(dumpOf(...routes(1, 30))));
  await expect(update()).rejects.toMatchObject({ kind: 'refused', message: expect.stringContaining(reason) });
  expect([numbers(), saved.length]).toEqual([range(1, 20), 1]);
});

function flipped(bytes: Buffer, at: number): Buffer {
  const copied = Buffer.from(bytes);
  copied[at]! ^= 0xff;
  return copied;
}

test.each([
  ['', 'refused', 'has no serial'],
  ['12a', 'refused', 'has no serial'],
  ['-1', 'refused', 'has no serial'],
  ['41', 'refused', 'The serial of the dump went back from 42 to 41'],
])('the serial %o is %s', async (text, kind, reason) => {
  const serialUrl = server.url('/serial');
  server.files.set('/dump.gz', dumpOf(...routes(1, 20)));
  server.files.set('/serial', Buffer.from('42\n'));
  await update({ serialUrl });
  server.files.set('/serial', Buffer.from(text));
  server.files.set('/dump.gz', dumpOf(...routes(1, 21)));
  await expect(update({ serialUrl })).rejects.toMatchObject({ kind, message: expect.stringContaining(reason) });
  expect(numbers()).toEqual(range(1, 20));
});

test('a dump that is replaced while it is read is read again later', async () => {
  const serialUrl = server.url('/serial');
  server.files.set('/dump.gz', dumpOf(...routes(1, 20)));
  const serials = ['42', '43'];
  const get = server.files.get.bind(server.files);
  server.files.get = (name) => (name === '/serial' ? Buffer.from(serials.shift() ?? '43') : get(name));
  await expect(update({ serialUrl })).rejects.toMatchObject({ kind: 'transient' });
  expect([numbers(), saved]).toEqual([[], []]);
  await update({ serialUrl });
  expect([numbers(), saved.at(-1)?.version]).toEqual([range(1, 20), 43]);
});

test('files of two dumps are never loaded together', async () => {
  const urls = ['/one', '/two'].map(server.url);
  server.files.set('/one', dumpOf(...routes(1, 10)));
  server.files.set('/two', dumpOf(...routes(11, 20)));
  const get = server.files.get.bind(server.files);
  server.files.get = (name) => {
    if (name === '/two') server.files.set('/one', dumpOf(...routes(1, 9)));
    return get(name);
  };
  await expect(update({ urls })).rejects.toMatchObject({ kind: 'transient' });
  expect(numbers()).toEqual([]);
  await update({ urls });
  expect(numbers()).toEqual([...range(1, 9), ...range(11, 20)]);
});

test('only objects of the classes are sent to be loaded', async () => {
  const person = 'person:         Alice Example\nnic-hdl:        AE1-EXAMPLE\nsource:         EXAMPLE\n';
  const urls = ['/one', '/two'].map(server.url);
  server.files.set('/one', gzipSync(dumpOf(person, ...routes(1, 5), person)));
  server.files.set('/two', dumpOf(...routes(6, 7), person));
  await update({ urls, classes: new Set(['route']) });
  expect(numbers()).toEqual(range(1, 7));
  expect(saved.at(-1)?.applied).toEqual({ loads: 1, puts: 7, deletes: 0, rejected: 0 });
});

test('a missing dump is tried again later', async () => {
  await expect(update()).rejects.toMatchObject({ kind: 'transient' });
});

test('a dump may be a file of this machine', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'cadastre-dump-'));
  try {
    const file = path.join(folder, 'example.db');
    const urls = [pathToFileURL(file)];
    await expect(update({ urls })).rejects.toMatchObject({ kind: 'transient' });
    await writeFile(file, dumpOf(...routes(1, 20)));
    await update({ urls });
    expect(numbers()).toEqual(range(1, 20));
    await update({ urls });
    expect(copy.calls).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
