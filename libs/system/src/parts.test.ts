import { expect, test } from 'vitest';
import { createParts, Stopping } from './parts.js';

function part(name: string, log: string[]) {
  return { stop: async () => void log.push(`stop ${name}`), kill: () => void log.push(`kill ${name}`) };
}

test('parts stop in reverse order', async () => {
  const log: string[] = [];
  const parts = createParts();
  await parts.start(async () => part('database', log));
  await parts.start(async () => part('gateway', log));
  await parts.stop();
  expect(log).toEqual(['stop gateway', 'stop database']);
});

test('parts that start together stop concurrently', async () => {
  const log: string[] = [];
  const parts = createParts();
  const released = Promise.withResolvers<void>();
  const waits = { stop: () => released.promise, kill() {} };
  const releases = { stop: async () => released.resolve(), kill() {} };
  await parts.start(async () => part('database', log));
  await parts.startTogether([async () => releases, async () => waits]);
  await parts.stop();
  expect(log).toEqual(['stop database']);
});

test('a part that is still starting during the stop is stopped too', async () => {
  const log: string[] = [];
  const parts = createParts();
  const slow = Promise.withResolvers<ReturnType<typeof part>>();
  const starting = parts.start(() => slow.promise);
  const stopped = parts.stop();
  slow.resolve(part('slow', log));
  await expect(starting).rejects.toThrow(Stopping);
  await stopped;
  expect(log).toEqual(['stop slow']);
});

test('nothing starts after a stop', async () => {
  const parts = createParts();
  await parts.stop();
  await expect(parts.start(async () => part('late', []))).rejects.toThrow(Stopping);
});

test('a part that failed to start does not prevent the stop of the others', async () => {
  const log: string[] = [];
  const parts = createParts();
  await parts.start(async () => part('database', log));
  await expect(parts.start(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await parts.stop();
  expect(log).toEqual(['stop database']);
});
