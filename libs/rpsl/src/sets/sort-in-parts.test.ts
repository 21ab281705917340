import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortInParts } from './sort-in-parts.js';

test('it orders as a stable sort does', async () => {
  const lists = fc.array(fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer()), { maxLength: 2_500, size: 'max' });
  const byFirst = ([a]: readonly [number, number], [b]: readonly [number, number]) => a - b;
  await fc.assert(
    fc.asyncProperty(lists, async (list) => {
      expect(await sortInParts(list, byFirst, async () => {})).toEqual(list.toSorted(byFirst));
    }),
    { numRuns: 20 },
  );
});

test.each([
  ['few', 0, 0],
  ['many', 100_000, 500],
])('other work may go first after each part: %s', async (_what, length, parts) => {
  const list = Array.from({ length }, (_, n) => (n * 7_919) % length);
  let [pauses, compared, max] = [0, 0, 0];
  const sorted = await sortInParts(
    list,
    (a, b) => {
      compared++;
      return a - b;
    },
    async () => {
      pauses++;
      max = Math.max(max, compared);
      compared = 0;
    },
  );
  expect(sorted).toEqual(Array.from({ length }, (_, n) => n));
  expect(pauses).toBeGreaterThanOrEqual(parts);
  expect(max).toBeLessThan(10_000);
});
