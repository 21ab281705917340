import { expect, it } from 'vitest';
import { median } from './statistics.js';

it.each([
  [[3], 3],
  [[10, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
])('median of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle);
});
