import { createLoopTurns } from '@cadastre/service';
import { expect, test } from 'vitest';
import { pausing, turnMs } from '../src/turns.js';

test('of all long work, one part runs in a turn of the event loop', async () => {
  const turns = createLoopTurns();
  const { signal } = new AbortController();
  let loops = 0;
  let isDone = false;
  const count = () => {
    loops++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const parts: number[] = [];
  const work = async () => {
    const pause = pausing(turns, '', signal);
    for (let part = 0; part < 5; part++) {
      const began = performance.now();
      while (performance.now() - began <= turnMs + 1);
      await pause();
      parts.push(loops);
    }
  };
  await Promise.all([work(), work(), work()]);
  isDone = true;
  expect(new Set(parts).size).toBe(15);
});

test('each network has its turn, however much work it has', async () => {
  const turns = createLoopTurns();
  const order: string[] = [];
  const networks = ['a', 'a', 'a', 'b', 'a', 'c'];
  await Promise.all(networks.map((network) => turns.next(network).then(() => order.push(network))));
  expect(order).toEqual(['a', 'b', 'c', 'a', 'a', 'a']);
});

test('long work ends when nobody waits for it', async () => {
  const gone = new AbortController();
  const pause = pausing(createLoopTurns(), '', gone.signal);
  await pause();
  gone.abort(new Error('gone'));
  await expect(pause()).rejects.toThrow('gone');
});
