import { expect, test } from 'vitest';
import { oneAhead } from './one-ahead.js';

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

test('results come in order, and only one item is processed at a time', async () => {
  let running = 0;
  async function* items() {
    yield* [1, 2, 3, 4];
  }
  const work = async (item: number) => {
    expect(++running).toBe(1);
    await Promise.resolve();
    running--;
    return item * 10;
  };
  expect(await collect(oneAhead(items(), work))).toEqual([10, 20, 30, 40]);
});

test('the next item is fetched while one is processed', async () => {
  const events: string[] = [];
  const fetched = Promise.withResolvers<void>();
  async function* items() {
    yield 'first';
    events.push('fetching second');
    fetched.resolve();
    yield 'second';
  }
  const work = async (item: string) => {
    if (item === 'first') await fetched.promise;
    events.push(`${item} done`);
  };
  await collect(oneAhead(items(), work));
  expect(events).toEqual(['fetching second', 'first done', 'second done']);
});

test('when the items fail, running work is finished first', async () => {
  let finished = false;
  async function* items() {
    yield 1;
    throw new Error('no more');
  }
  const work = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    finished = true;
  };
  await expect(collect(oneAhead(items(), work))).rejects.toThrow('no more');
  expect(finished).toBe(true);
});

test('a failure of the work is thrown', async () => {
  async function* items() {
    yield* [1, 2, 3];
  }
  const work = async (item: number) => {
    if (item === 2) throw new Error('broken');
    return item;
  };
  const results = oneAhead(items(), work);
  expect((await results.next()).value).toBe(1);
  await expect(results.next()).rejects.toThrow('broken');
});
