import { expect, test } from 'vitest';
import { inWindow } from './window.js';

async function read(window: { offset: number; limit?: number }) {
  let fetched = 0;
  async function* pages() {
    for (const objects of [['a', 'b'], ['c'], ['d', 'e', 'f'], ['g']]) {
      fetched++;
      yield { objects };
    }
  }
  const shown: string[] = [];
  let isEmpty = true;
  for await (const page of inWindow(pages(), window)) {
    isEmpty = false;
    shown.push(...page.objects);
  }
  return { shown: shown.join(''), fetched, isEmpty };
}

test.each([
  [{ offset: 0 }, 'abcdefg', 4],
  [{ offset: 0, limit: 2 }, 'ab', 1],
  [{ offset: 1, limit: 2 }, 'bc', 2],
  [{ offset: 4, limit: 1 }, 'e', 3],
  [{ offset: 3, limit: 100 }, 'defg', 4],
  [{ offset: 0, limit: 0 }, '', 1],
  [{ offset: 9, limit: 1 }, '', 4],
])('%j: no page is fetched beyond the end', async (window, shown, fetched) => {
  expect(await read(window)).toEqual({ shown, fetched, isEmpty: false });
});
