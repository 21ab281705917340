import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { testLogger } from '@cadastre/service/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { downloadFile, fetchText } from '../src/follow/download.js';
import { type DumpOptions, dumpOrigin } from '../src/follow/dump/origin.js';
import { openFtpFile } from '../src/follow/ftp.js';
import { mirrorWriter } from '../src/follow/mirror-writer.js';
import type { Mirrored } from '../src/follow/origin.js';
import { type Copy, createCopy } from './copy.fixture.js';
import { type FtpServer, startFtpServer } from './ftp-server.fixture.js';

const reach = { ownNetwork: true };

let server: FtpServer;
let copy: Copy;
let state: object | undefined;
let stopping: AbortController;

beforeEach(async () => {
  server = await startFtpServer();
  copy = createCopy();
  state = undefined;
  stopping = new AbortController();
});
afterEach(() => server.stop());

const put = (path: string, content: string | Buffer, changed = '20260102030405') =>
  server.files.set(path, { content: Buffer.from(content), changed });
const route = (number: number) => `route: 192.0.2.${number}/32\norigin: AS64500\nsource: EXAMPLE\n`;
const text = async (path = '/file', maxBytes = 1_000) => {
  const fetched = await fetchText(server.url(path), reach, { maxBytes, signal: stopping.signal });
  return fetched.isNew ? fetched.text : undefined;
};
const sent = (command: string) => server.commands.filter((line) => line.startsWith(command));

async function update(changes: Partial<DumpOptions> = {}) {
  const mirrored: Mirrored = {
    source: 'EXAMPLE-GRS',
    writer: mirrorWriter({ source: 'EXAMPLE-GRS', objects: copy, unguarded: false, logger: testLogger() }),
    faults: 0,
    storedFiles: async () => ({}),
    save: async (progress) => {
      state = JSON.parse(JSON.stringify(progress.state));
    },
    signal: stopping.signal,
    logger: testLogger(),
    now: () => new Date(),
  };
  const usual = {
    urls: [server.url('/dbase/example.db.gz')],
    source: 'EXAMPLE',
    everyMs: 1,
    encoding: 'utf8',
  } as const;
  server.commands.length = 0;
  copy.calls.length = 0;
  return dumpOrigin({ ...usual, reach, ...changes }).update(state, mirrored);
}

test('a dump and its serial come by FTP, and are fetched again only when they change', async () => {
  const serialUrl = server.url('/dbase/EXAMPLE.CURRENTSERIAL');
  put('dbase/example.db.gz', gzipSync(`${route(1)}\n${route(2)}`));
  put('dbase/EXAMPLE.CURRENTSERIAL', '42\n');
  await update({ serialUrl });
  expect([copy.objects.size, copy.calls]).toEqual([2, ['load']]);
  await update({ serialUrl });
  expect([sent('RETR'), copy.calls]).toEqual([['RETR dbase/EXAMPLE.CURRENTSERIAL'], []]);
});

test('without a serial, time and size tell whether a file changed', async () => {
  put('dbase/example.db.gz', route(1));
  await update();
  await update();
  expect([sent('RETR'), copy.calls]).toEqual([[], []]);
  put('dbase/example.db.gz', `${route(1)}\n${route(2)}`, '20260102030406');
  await update();
  expect(copy.objects.size).toBe(2);
});

test('a server that tells neither time nor size is read each time, and loaded only when the content changed', async () => {
  server.faults.replies = { MDTM: '500 what?', SIZE: '500 what?' };
  put('dbase/example.db.gz', route(1));
  await update();
  await update();
  expect([sent('RETR').length, copy.calls]).toEqual([1, []]);
});

test('a server without EPSV is read by PASV', async () => {
  put('file', 'content');
  server.faults.replies = { EPSV: '500 what?' };
  expect(await text()).toBe('content');
});

test('a server cannot lead the data connection to another host', async () => {
  let connections = 0;
  const other = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.2', resolve));
  const { port } = other.address() as { port: number };
  put('file', 'content');
  for (const host of ['127,0,0,2', '10,0,0,1', '169,254,169,254']) {
    server.faults.replies = { EPSV: '500 what?', PASV: `227 passive (${host},${port >> 8},${port & 255})` };
    await expect(text()).rejects.toMatchObject({ kind: 'transient' });
  }
  // Some servers name a host in the response to EPSV; it does not count.
  server.faults.replies = { EPSV: `229 passive (|1|127.0.0.2|${port}|)`, PASV: '500 what?' };
  await expect(text()).rejects.toMatchObject({ kind: 'transient' });
  expect([connections, server.peers]).toEqual([0, []]);
  other.close();
});

test('an origin outside may have no address of the own network, by name or number', async () => {
  put('file', 'content');
  for (const host of ['127.0.0.1', 'localhost']) {
    const url = server.url('/file');
    url.hostname = host;
    const options = { maxBytes: 10, signal: stopping.signal };
    await expect(fetchText(url, { ownNetwork: false }, options)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('no public address'),
    });
  }
  expect(server.commands).toEqual([]);
});

test.each<[string, Partial<FtpServer['faults']>, string]>([
  ['ends the data early', { cutAt: 3 }, 'it has 7 bytes, 3 came'],
  ['has no such file', { replies: { RETR: '550 no such file' } }, '550 no such file'],
  ['says that the transfer failed', { replies: { SIZE: '500 what?', RETR: '426 broken' } }, '426 broken'],
  ['refuses the login', { replies: { PASS: '530 too many users' } }, '530 too many users'],
  ['replies without an end', { replies: { '': `220-${'x'.repeat(100_000)}` } }, 'exceeded maximum allowed size'],
])('a server that %s: the file is tried again later', async (_, faults, said) => {
  put('file', 'content');
  Object.assign(server.faults, faults);
  await expect(text()).rejects.toMatchObject({ kind: 'transient', message: expect.stringContaining(said) });
});

test('a file that is too long is refused, and the connection ends', async () => {
  put('file', Buffer.alloc(2 << 20));
  const options = { maxBytes: 1 << 20, signal: stopping.signal };
  await expect(downloadFile(server.url('/file'), reach, options)).rejects.toMatchObject({ kind: 'refused' });
});

test('a server that falls silent is left', async () => {
  put('file', 'content');
  server.faults.isStuck = true;
  const { signal } = stopping;
  // Longer than a busy machine needs for the steps before.
  const opened = await openFtpFile(server.url('/file'), { reach, signal, idleTimeoutMs: 5_000 });
  const read = async () => {
    for await (const _ of opened!.body);
  };
  await expect(read()).rejects.toThrow('Timeout');
});

test('a service that stops does not wait for the server', async () => {
  put('file', 'content');
  server.faults.isStuck = true;
  const read = text();
  await expect.poll(() => server.peers.length).toBe(1);
  stopping.abort();
  await expect(read).rejects.toThrow();
});

test.each(['/', '/file%0d%0aDELE%20file', '/file%00'])('the path %j is no file', async (path) => {
  await expect(text(path)).rejects.toMatchObject({ kind: 'refused', message: expect.stringContaining('no file') });
  expect(server.commands).toEqual([]);
});

test('a path begins at the directory of the login, unless it says otherwise', async () => {
  put('a b/c', 'relative');
  put('/d', 'absolute');
  expect([await text('/a%20b/c'), await text('/%2Fd')]).toEqual(['relative', 'absolute']);
});

test('who configures FTP or HTTP is warned, except in the own network', () => {
  const about = (ownNetwork: boolean, ...urls: string[]) => {
    const options = { urls: urls.map((url) => new URL(url)), source: 'EXAMPLE', everyMs: 1, encoding: 'utf8' } as const;
    return dumpOrigin({ ...options, reach: { ownNetwork } }).warnings;
  };
  const said = (by: string) => [`Files come by ${by}: nothing protects them from changes on the way`];
  expect(about(false, 'ftp://ftp.example.net/a', 'ftp://ftp.example.net/b')).toEqual(said('ftp'));
  expect(about(false, 'https://ftp.example.net/a', 'http://ftp.example.net/b', 'ftp://ftp.example.net/c')).toEqual(
    said('ftp and http'),
  );
  expect(about(false, 'https://ftp.example.net/a', 'file:///srv/a')).toEqual([]);
  expect(about(true, 'ftp://ftp.example.net/a')).toEqual([]);
});
