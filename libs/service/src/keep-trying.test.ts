import { expect, test } from 'vitest';
import { ServiceError } from './errors.js';
import { keepTrying, onceAvailable } from './keep-trying.js';
import type { Logger } from './logger.js';

const logger = { warn: () => {} } as unknown as Logger;

test('each failure doubles the pause up to the maximum; progress resets it', async () => {
  const stopping = new AbortController();
  const failed: [number, number][] = [];
  let runs = 0;
  await keepTrying(
    {
      async work(_signal, succeeded) {
        if (++runs === 5) succeeded();
        throw new Error('away');
      },
      onFailure(_error, pauseMs, failures) {
        failed.push([failures, pauseMs]);
        if (runs === 6) stopping.abort();
      },
      pauses: { firstMs: 1, maxMs: 4 },
    },
    stopping.signal,
  );
  expect(failed.map(([failures]) => failures)).toEqual([1, 2, 3, 4, 1, 2]);
  for (const [index, typical] of [1, 2, 4, 4, 1, 2].entries()) {
    expect(failed[index]![1]).toBeGreaterThanOrEqual(typical * 0.75);
    expect(failed[index]![1]).toBeLessThanOrEqual(typical * 1.25);
  }
});

test('a failure caused by the stop is not reported', async () => {
  const stopping = new AbortController();
  const failures: unknown[] = [];
  const work = async () => {
    stopping.abort();
    throw new Error('stopped');
  };
  await keepTrying({ work, onFailure: (error) => failures.push(error) }, stopping.signal);
  expect(failures).toEqual([]);
});

test('work that needs a store is repeated while that is unavailable, until the signal is aborted', async () => {
  let runs = 0;
  const away = new ServiceError('unavailable', 'away');
  const work = async () => {
    if (++runs === 1) throw away;
    return runs;
  };
  expect(await onceAvailable(work, { logger })).toBe(2);
  const stopping = new AbortController();
  const never = async () => {
    runs++;
    stopping.abort();
    throw away;
  };
  await expect(onceAvailable(never, { logger, signal: stopping.signal })).rejects.toBe(away);
  expect(runs).toBe(3);
});
