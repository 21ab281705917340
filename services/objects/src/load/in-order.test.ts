import { expect, test } from 'vitest';
import { inOrder } from './in-order.js';

async function collect<T>(items: AsyncIterable<T>, collected: T[] = []): Promise<T[]> {
  for await (const item of items) collected.push(item);
  return collected;
}

async function* numbers(...all: number[]) {
  yield* all;
}

test('results come in the order of the items, in whatever order the work ends', async () => {
  const second = Promise.withResolvers<void>();
  const work = async (item: number) => {
    if (item === 1) await second.promise;
    if (item === 2) second.resolve();
    return item * 10;
  };
  expect(await collect(inOrder(numbers(1, 2, 3, 4), 2, work))).toEqual([10, 20, 30, 40]);
});

test('at most the given number of items is fetched and not yet read', async () => {
  let fetched = 0;
  let read = 0;
  async function* items() {
    for (let item = 1; item <= 10; item++) {
      fetched++;
      expect(fetched - read).toBeLessThanOrEqual(3);
      yield item;
    }
  }
  for await (const _ of inOrder(items(), 3, async (item) => item)) read++;
  expect(read).toBe(10);
});

test('when the items fail, the results of those before come first', async () => {
  async function* items() {
    yield* [1, 2];
    throw new Error('no more');
  }
  const collected: number[] = [];
  const all = collect(
    inOrder(items(), 3, async (item) => item),
    collected,
  );
  await expect(all).rejects.toThrow('no more');
  expect(collected).toEqual([1, 2]);
});

test('a failure of the work is thrown after the work in progress, and ends the items', async () => {
  const finished: number[] = [];
  let ended = false;
  async function* items() {
    try {
      yield* [1, 2, 3, 4, 5];
    } finally {
      ended = true;
    }
  }
  const work = async (item: number) => {
    if (item === 2) throw new Error('broken');
    await new Promise((resolve) => setImmediate(resolve));
    finished.push(item);
    return item;
  };
  const results = inOrder(items(), 2, work);
  expect((await results.next()).value).toBe(1);
  await expect(results.next()).rejects.toThrow('broken');
  expect(finished).toEqual([1, 3]);
  expect(ended).toBe(true);
});

test('a reader that stops leaves no work running', async () => {
  let running = 0;
  const work = async (item: number) => {
    running++;
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    return item;
  };
  const results = inOrder(numbers(1, 2, 3), 3, work);
  await results.next();
  await results.return(undefined);
  expect(running).toBe(0);
});
