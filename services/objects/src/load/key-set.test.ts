import { expect, test } from 'vitest';
import { createKeySet } from './key-set.js';

test('a key set knows all added texts while it grows', () => {
  const set = createKeySet();
  const keys = Array.from({ length: 200_000 }, (_, index) => `person p${index}-test`);
  expect(keys.filter((key) => !set.add(key))).toEqual([]);
  expect(keys.filter((key) => set.add(key))).toEqual([]);
  expect(keys.every((key) => set.has(key))).toBe(true);
  expect(keys.some((key) => set.has(`${key}-other`))).toBe(false);
});
