import { expect, test } from 'vitest';
import { bytes } from './format.js';

test.each([
  [0, '0 bytes'],
  [850, '850 bytes'],
  [1_000, '1 kB'],
  [1_234_567, '1.23 MB'],
  [50_000_000, '50 MB'],
  [1_000_000_000, '1 GB'],
  [5e15, '5,000 TB'],
])('%d: %s', (count, text) => {
  expect(bytes(count)).toBe(text);
});
