import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createExpansionSlots } from './expansion-slots.js';

// All expansions take the same time.
beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(1_000));
afterEach(() => vi.restoreAllMocks());

/** Expansions that run until the test ends them. */
function expansions(max: number, waitMs = 60_000) {
  const slots = createExpansionSlots({ max, waitMs });
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = async (client: string, name: string, signal = new AbortController().signal) => {
    try {
      return await slots.run(client, signal, async () => {
        running.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        running.splice(running.indexOf(name), 1);
        return 'done';
      });
    } catch (error) {
      return (error as Error).message;
    }
  };
  const end = async (name: string) => {
    ends.get(name)!();
    await turn();
  };
  return { begin, end, running };
}

test('a client has one expansion at once, and all clients have few; others wait for their turn', async () => {
  const { begin, end, running } = expansions(2);
  const all = [begin('a', 'a1'), begin('a', 'a2'), begin('b', 'b1'), begin('c', 'c1'), begin('b', 'b2')];
  await turn();
  expect(running).toEqual(['a1', 'b1']);
  await end('b1');
  expect(running).toEqual(['a1', 'b2']);
  await end('a1');
  expect(running).toEqual(['b2', 'a2']);
  await end('a2');
  expect(running).toEqual(['b2', 'c1']);
  await end('c1');
  await end('b2');
  expect(await Promise.all(all)).toEqual(Array(5).fill('done'));
});

test('a client that is gone, or waits for too long, gives up its wait and delays nobody', async () => {
  const { begin, end, running } = expansions(1, 1);
  const first = begin('a', 'a1');
  const gone = new AbortController();
  const left = begin('b', 'b1', gone.signal);
  gone.abort(new Error('gone'));
  expect(await left).toBe('gone');
  expect(await begin('b', 'b2', gone.signal)).toBe('gone');
  expect(await begin('c', 'c1')).toBe('unavailable: Too many sets are being expanded');
  await end('a1');
  expect(await first).toBe('done');
  const next = begin('d', 'd1');
  await turn();
  expect(running).toEqual(['d1']);
  await end('d1');
  expect(await next).toBe('done');
});

test('an expansion that fails leaves its slot', async () => {
  const slots = createExpansionSlots({ max: 1, waitMs: 60_000 });
  const { signal } = new AbortController();
  await expect(slots.run('a', signal, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await slots.run('a', signal, async () => 'next')).toBe('next');
});
