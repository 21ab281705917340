import { expect, test } from 'vitest';
import { RequestFailed } from '../api/registry.js';
import { mayPass, pauseBeforeRetry } from './retry.js';

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
  expect(mayPass(failed(status))).toBe(expected);
});

test('a request whose key is in use is retried, a conflict is not', () => {
  expect([mayPass(failed(409, 1)), mayPass(failed(409))]).toEqual([true, false]);
});

test('a fault of the page itself is not retried', () => {
  expect(mayPass(new TypeError('x'))).toBe(false);
});
