import { expect, test } from 'vitest';
import type { WriteAnswer } from '../api/objects.js';
import { messagesOf, RequestFailed } from '../api/registry.js';
import { isRetryable, pauseBeforeRetry, writeOnce } from './write.js';

const lost = new RequestFailed(0, [{ severity: 'Error', text: 'The registry cannot be reached.' }]);
const stored: WriteAnswer = { status: 200, messages: [] };
const running = new RequestFailed(409, [], { retryAfterSeconds: 1 });
const exists: WriteAnswer = { status: 409, messages: [{ severity: 'Error', text: 'the object already exists' }] };

/** Writes with these results, one after another. */
async function writing(...results: (WriteAnswer | Error)[]) {
  const pauses: number[] = [];
  let reported = 0;
  let requests = 0;
  const perform = async () => {
    const result = results[requests++]!;
    if (result instanceof Error) throw result;
    return result;
  };
  const pause = async (ms: number) => void pauses.push(ms);
  const outcome = await writeOnce(perform, () => reported++, pause).catch((error: unknown) => error);
  expect([reported, requests]).toEqual([pauses.length, pauses.length + 1]);
  return { outcome, pauses };
}

test('a write with a response is not retried', async () => {
  expect(await writing(stored)).toEqual({ outcome: stored, pauses: [] });
  expect(await writing(exists)).toEqual({ outcome: exists, pauses: [] });
});

test('a write whose response is lost is retried, with growing pauses', async () => {
  const { outcome, pauses } = await writing(lost, new RequestFailed(503, []), running, stored);
  expect(outcome).toBe(stored);
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
});

test('a permanent failure ends it', async () => {
  const failure = new RequestFailed(403, []);
  expect(await writing(lost, failure)).toMatchObject({ outcome: failure });
});

test('it gives up after half a minute, and says that a retry is safe', async () => {
  const { outcome, pauses } = await writing(...Array.from({ length: 6 }, () => lost));
  expect(pauses).toHaveLength(5);
  expect(messagesOf(outcome).map(({ text }) => text)).toEqual([
    'The registry cannot be reached.',
    'It is not known whether this is saved. Try again: the registry saves it only once.',
  ]);
});

const failed = (status: number, retryAfterSeconds = 0) => new RequestFailed(status, [], { retryAfterSeconds });

test('pauses grow to half a minute', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 100].map((failures) => pauseBeforeRetry(failures, failed(0), 0.5));
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});

test('browsers do not return at the same moment', () => {
  expect([0, 1].map((random) => pauseBeforeRetry(1, failed(0), random))).toEqual([750, 1250]);
});

test('a registry that requests a longer pause gets it', () => {
  expect(pauseBeforeRetry(1, failed(503, 60), 0.5)).toBe(60_000);
  expect(pauseBeforeRetry(3, failed(503, 1), 0.5)).toBe(4000);
});

test.each([
  [0, true],
  [429, true],
  [503, true],
  [504, true],
  [400, false],
  [401, false],
  [403, false],
  [412, false],
  [501, false],
])('a failure with status %d is retried: %s', (status, expected) => {
  expect(isRetryable(failed(status))).toBe(expected);
});

test('a request whose key is in use is retried, a conflict is not', () => {
  expect([isRetryable(failed(409, 1)), isRetryable(failed(409))]).toEqual([true, false]);
});

test('a fault of the page itself is not retried', () => {
  expect(isRetryable(new TypeError('x'))).toBe(false);
});
