import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reached } from './registry.js';

/** How a request ends: a status, a status and its Retry-After, or no response. */
type Ending = number | readonly [status: number, retryAfter: string] | 'offline';

const read = 'https://registry.example/search';
let sent: { readonly method: string; readonly at: number }[];

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Sends a request that ends like this, one attempt after the other; returns its status, or why it failed. */
async function send(endings: readonly Ending[], init: RequestInit = {}, url = read): Promise<number | string> {
  vi.stubGlobal('fetch', async (request: Request) => {
    request.signal.throwIfAborted();
    const ending = endings[sent.length]!;
    sent.push({ method: request.method, at: Date.now() });
    if (ending === 'offline') throw new TypeError('Failed to fetch');
    const [status, retryAfter] = typeof ending === 'number' ? [ending, undefined] : ending;
    return new Response(null, { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });
  });
  const response = reached(new Request(url, init)).then(
    ({ status }) => status,
    (error: unknown) => String(error),
  );
  await vi.runAllTimersAsync();
  return response;
}

const unreached = 'RequestFailed: The registry cannot be reached. Check your network.';

test.each<[string, Ending[], number | string]>([
  ['a response', [200], 200],
  ['a refusal', [404], 404],
  ['a limit', [429], 429],
  ['a broken registry', [500], 500],
  ['a restarting registry', [503, 200], 200],
  ['a proxy without a registry', [502, 200], 200],
  ['a slow registry', [504, 503], 503],
  ['a registry that asks for a short pause', [[503, '3'], 200], 200],
  ['a registry that asks for a long pause', [[503, '60']], 503],
  ['a lost response', ['offline', 200], 200],
  ['no network', ['offline', 'offline'], unreached],
  ['no network, then a restarting registry', ['offline', 503], 503],
])('a read that gets %s is sent as often as it helps', async (_what, endings, expected) => {
  expect(await send(endings)).toBe(expected);
  expect(sent).toHaveLength(endings.length);
});

test('the second attempt comes after a pause, of the registry if it asks for one', async () => {
  await send([503, 200]);
  const [first, second] = sent.splice(0);
  expect(second!.at - first!.at).toBeGreaterThanOrEqual(500);
  await send([[503, '3'], 200]);
  expect(sent[1]!.at - sent[0]!.at).toBe(3000);
});

test.each<[string, string, RequestInit, Ending[], number | string]>([
  ['a write without a response', read, { method: 'POST', body: '{}' }, ['offline'], unreached],
  ['a write to a restarting registry', read, { method: 'PUT', body: '{}' }, [503], 503],
  ['a dry run at a restarting registry', `${read}?dry-run=true`, { method: 'POST', body: '{}' }, [503], 503],
])('%s is not repeated here', async (_what, url, init, endings, expected) => {
  expect(await send(endings, init, url)).toBe(expected);
  expect(sent).toHaveLength(1);
});

test('a dry run without a response is', async () => {
  expect(await send(['offline', 200], { method: 'POST', body: '{}' }, `${read}?dry-run=true`)).toBe(200);
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST']);
});

test('who leaves the page during the pause is not answered', async () => {
  const left = new AbortController();
  setTimeout(() => left.abort(), 100);
  expect(await send([503, 200], { signal: left.signal })).toContain('AbortError');
  expect(sent).toHaveLength(1);
});
