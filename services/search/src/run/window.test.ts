import { expect, test } from 'vitest';
import { type End, inWindow } from './window.js';

async function read(window: { offset: number; limit?: number }) {
  let fetched = 0;
  async function* pages() {
    for (const objects of [['a', 'b'], ['c'], ['d', 'e', 'f'], ['g']]) {
      fetched++;
      yield { objects };
    }
  }
  const shown: string[] = [];
  let end: End | undefined;
  let isEmpty = true;
  for await (const page of inWindow(pages(), window)) {
    isEmpty = false;
    shown.push(...page.objects);
    ({ end } = page);
  }
  return { shown: shown.join(''), fetched, isEmpty, end };
}

test.each([
  [{ offset: 0 }, 'abcdefg', 4, undefined],
  [{ offset: 0, limit: 1 }, 'a', 1, { count: 1, isFollowed: true }],
  [{ offset: 0, limit: 2 }, 'ab', 2, { count: 2, isFollowed: true }],
  [{ offset: 1, limit: 2 }, 'bc', 3, { count: 1, isFollowed: true }],
  [{ offset: 4, limit: 1 }, 'e', 3, { count: 2, isFollowed: true }],
  [{ offset: 3, limit: 4 }, 'defg', 4, { count: 1, isFollowed: false }],
  [{ offset: 3, limit: 100 }, 'defg', 4, undefined],
  [{ offset: 0, limit: 0 }, '', 1, { count: 0, isFollowed: true }],
  [{ offset: 9, limit: 1 }, '', 4, undefined],
])('%j: at most one page is fetched beyond the end', async (window, shown, fetched, end) => {
  expect(await read(window)).toEqual({ shown, fetched, isEmpty: false, end });
});

test('no page is fetched behind a full one', async () => {
  let fetched = 0;
  async function* pages() {
    for (; ; fetched++) yield { objects: Array.from({ length: 100 }, () => 'x') };
  }
  for await (const { end } of inWindow(pages(), { offset: 0, limit: 100 })) {
    expect(end).toEqual({ count: 100, isFollowed: true });
  }
  expect(fetched).toBe(0);
});
