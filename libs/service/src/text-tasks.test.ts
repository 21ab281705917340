import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSlices, smallCharacters } from './text-tasks.js';

const half = smallCharacters / 2;
const large = 10 * smallCharacters;

test.each([
  ['small texts together', [100, 100, half], [0, 0, 0]],
  ['a large one', [large], [0]],
  ['large ones', [large, large, large], [0, 1, 2]],
  ['a large one between small ones', [100, large, 100, 100], [0, 1, 2, 2]],
  ['as many small ones as fit into a slice', [half, half, half, half, 1], [0, 0, 1, 1, 2]],
])('%s', async (_, sizes, expected) => {
  let turns = 0;
  const slice = createSlices(async () => {
    await setImmediate();
    turns++;
  });
  const begun = sizes.map(async (characters) => {
    await slice(characters);
    return turns;
  });
  expect(await Promise.all(begun)).toEqual(expected);
});
