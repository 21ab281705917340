import { expect, test } from 'vitest';
import { document } from '../../tests/contract/documents.js';
import { mergeByKey } from './merge-by-key.js';

async function* pagesOf(text: string) {
  for (const page of text.split(' ').filter((part) => part !== '')) {
    yield [...page].map((key) => document({ source: 'TEST', type: 'domain', key }));
  }
}

test.each([
  ['', '', ''],
  ['ac e', '', 'ace'],
  ['', 'b df', 'bdf'],
  ['ac e', 'b df', 'abcdef'],
  ['ab', 'ab c', 'abc'],
  ['d', 'abc efg', 'abcdefg'],
  ['abc', 'c', 'abc'],
])('%j and %j: %j', async (left, right, merged) => {
  let keys = '';
  for await (const page of mergeByKey(pagesOf(left), pagesOf(right))) {
    expect(page.length).toBeGreaterThan(0);
    keys += page.map((one) => one.key).join('');
  }
  expect(keys).toBe(merged);
});
