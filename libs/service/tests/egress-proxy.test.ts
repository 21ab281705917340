import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Guard, guardedRequest } from '../src/guarded-request.js';
import { type ForwardProxy, startForwardProxy } from './forward-proxy.js';

let proxy: ForwardProxy;
beforeEach(async () => {
  proxy = await startForwardProxy();
});
afterEach(() => proxy.close());

const guard = (): Guard => ({ anywhere: false, proxy: proxy.url, refusal: (host) => new Error(`refused: ${host}`) });

test.each(['https', 'http'])('a proxy that is silent ends a request by %s', async (scheme) => {
  proxy.fault = () => {};
  const sent = guardedRequest(new URL(`${scheme}://files.example.net/`), guard(), { timeout: 200 });
  await expect(sent).rejects.toThrow('the egress proxy was silent for 0.2 seconds');
  await expect.poll(() => proxy.connections()).toBe(0);
});

test('a host that is silent in its tunnel ends a request', async () => {
  proxy.fault = (connection) => connection.write('HTTP/1.1 200 Connection established\r\n\r\n');
  const sent = guardedRequest(new URL('https://files.example.net/'), guard(), { timeout: 200 });
  await expect(sent).rejects.toThrow('the server was silent for 0.2 seconds');
  await expect.poll(() => proxy.connections()).toBe(0);
});

test.each(['https', 'http'])('a signal ends a request by %s that waits for the proxy', async (scheme) => {
  const stopping = new AbortController();
  proxy.fault = () => stopping.abort();
  const sent = guardedRequest(new URL(`${scheme}://files.example.net/`), guard(), { signal: stopping.signal });
  await expect(sent).rejects.toThrow(/ABORT_ERR|aborted/);
  await expect.poll(() => proxy.connections()).toBe(0);
});

test.each([
  '10.0.0.1',
  '[::1]',
  '127.1',
  'localhost',
  'a.LOCALHOST.',
  'redis',
  'objects.default.svc.cluster.local',
  'metadata.google.internal',
])('%s is refused before a proxy is used', async (host) => {
  for (const scheme of ['https', 'http']) {
    const sent = guardedRequest(new URL(`${scheme}://${host}/`), guard(), {});
    await expect(sent).rejects.toThrow('refused: ');
  }
  expect(proxy.requests).toEqual([]);
});

test('a proxy that does not listen is an error without its address', async () => {
  await proxy.close();
  const sent = guardedRequest(new URL('https://files.example.net/'), guard(), {});
  await expect(sent).rejects.toThrow(/^no tunnel through the egress proxy \(ECONNREFUSED\)$/);
  proxy = await startForwardProxy();
});
