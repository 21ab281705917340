import { once } from 'node:events';
import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { downloadFile, fetchText } from '../src/follow/download.js';

const text = 'a notification\n'.repeat(1_000);
const packed = gzipSync(text);
const reach = { ownNetwork: true };
const options = { maxBytes: 20_000, signal: new AbortController().signal };

let server: http.Server;
let url: URL;
let reply: { headers: Record<string, string>; body: Buffer | string };
let received: IncomingHttpHeaders;

beforeAll(async () => {
  server = http.createServer((request, response) => {
    received = request.headers;
    response.writeHead(200, reply.headers).end(reply.body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
});

test.each<[string, typeof reply]>([
  ['as it is', { headers: {}, body: text }],
  ['with its name', { headers: { 'content-encoding': 'identity' }, body: text }],
  ['compressed', { headers: { 'content-encoding': 'gzip' }, body: packed }],
])('a short text %s', async (_, given) => {
  reply = { ...given, headers: { ...given.headers, etag: '"tag"' } };
  expect(await fetchText(url, reach, options)).toEqual({ isNew: true, text, tag: '"tag"' });
  expect(received['accept-encoding']).toBe('gzip');
});

test.each<[string, string, Buffer | string, string, RegExp]>([
  ['that is too long', 'identity', 'x'.repeat(20_001), 'refused', /longer than 20000 bytes$/],
  ['that becomes too long', 'gzip', gzipSync(Buffer.alloc(100_000_000)), 'refused', /longer than 20000 bytes$/],
  ['that is damaged', 'gzip', packed.subarray(5), 'transient', /cannot be read: incorrect header check$/],
  ['that is incomplete', 'gzip', packed.subarray(0, -9), 'transient', /cannot be read: unexpected end of file$/],
  ['that is not compressed', 'gzip', text, 'transient', /cannot be read: incorrect header check$/],
  ['in a coding that nobody asked for', 'br', brotliCompressSync(text), 'transient', /has an unknown content coding$/],
])('a short text %s fails', async (_, coding, body, kind, message) => {
  reply = { headers: { 'content-encoding': coding }, body };
  const fetched = fetchText(url, reach, options);
  await expect(fetched).rejects.toMatchObject({ kind, message: expect.stringMatching(message) });
});

test('a file is downloaded as it is: its hash is that of its bytes', async () => {
  reply = { headers: {}, body: packed };
  const file = await downloadFile(url, reach, options);
  expect(file.bytes).toBe(packed.length);
  expect(received['accept-encoding']).toBeUndefined();
  await file.close();
});
