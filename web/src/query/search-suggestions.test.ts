import { expect, test } from 'vitest';
import { isBeginning } from './search-suggestions.js';

test.each([
  ['EX', true],
  ['192.0', true],
  ['Example Net', true],
  ['', false],
  ['E', false],
  ['-i mnt-by', false],
  ['/-/query', false],
  ['https://www.example.net', false],
  ['noc@example.net', false],
  ['x'.repeat(65), false],
])('%j may be the beginning of a name: %j', (text, may) => {
  expect(isBeginning(text)).toBe(may);
});
