import { expect, test } from 'vitest';
import { hash64 } from './hash64.js';

test('hashes stay what they are: they are stored', () => {
  expect(['', 'mntner:one-mnt', 'contact:sb1-test'].map(hash64)).toMatchInlineSnapshot(`
    [
      -320512918112720118n,
      7876473987163453406n,
      2392964877343157413n,
    ]
  `);
});

test('texts that differ little have different hashes', () => {
  const texts = Array.from({ length: 100_000 }, (_, index) => `contact:aa${index}-test`);
  expect(new Set(texts.map(hash64)).size).toBe(texts.length);
});
