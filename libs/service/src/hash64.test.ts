import { expect, test } from 'vitest';
import { hash64, hashHalves } from './hash64.js';

test('hashes never change: they are stored', () => {
  expect(['', 'mntner:one-mnt', 'contact:sb1-test'].map(hash64)).toMatchInlineSnapshot(`
    [
      -8668578093285790966n,
      9036579713631090654n,
      1537121493186931877n,
    ]
  `);
});

test('similar texts have different hashes', () => {
  const texts = Array.from({ length: 100_000 }, (_, index) => `contact:aa${index}-test`);
  expect(new Set(texts.map(hash64)).size).toBe(texts.length);
});

test('similar keys have different hashes', () => {
  const hashes = new Set<string>();
  const count = 400_000;
  for (let n = 0; n < count; n++) {
    const { high, low } = hashHalves(`contact:ab${n}-test`);
    hashes.add(`${high}:${low}`);
  }
  expect(hashes.size).toBe(count);
});
