import { expect, test } from 'vitest';
import { firstBytes } from './read-parts.js';

async function collect<T>(items: AsyncIterable<T>, collected: T[] = []): Promise<T[]> {
  for await (const item of items) collected.push(item);
  return collected;
}

const length = (item: string) => item.length;

test.each([
  { bytes: 5, isLarge: true, taken: 2 },
  { bytes: 9, isLarge: true, taken: 3 },
  { bytes: 10, isLarge: false, taken: 3 },
])('of nine bytes, $bytes are there: $isLarge; no more is taken than needed, and nothing is lost', async (o) => {
  let taken = 0;
  async function* items() {
    for (const item of ['aaa', 'bbb', 'ccc']) {
      taken++;
      yield item;
    }
  }
  const { isLarge, all } = await firstBytes(items(), o.bytes, length);
  expect({ isLarge, taken }).toEqual({ isLarge: o.isLarge, taken: o.taken });
  expect(await collect(all)).toEqual(['aaa', 'bbb', 'ccc']);
});

test('when the items fail, those before come first', async () => {
  async function* items() {
    yield 'aaa';
    throw new Error('no more');
  }
  const { isLarge, all } = await firstBytes(items(), 10, length);
  expect(isLarge).toBe(false);
  const collected: string[] = [];
  await expect(collect(all, collected)).rejects.toThrow('no more');
  expect(collected).toEqual(['aaa']);
});
