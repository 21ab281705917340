import { expect, test } from 'vitest';
import { diffLines } from './line-diff.js';

const shown = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`);

test.each([
  ['a\nb\nc\n', 'a\nx\nc\n', [' a', '-b', '+x', ' c']],
  ['a\n', 'a\nb\n', [' a', '+b']],
  ['a\nb\n', 'b\n', ['-a', ' b']],
  ['', 'a\nb\n', ['+a', '+b']],
  ['a\n', '', ['-a']],
  ['a\n\nb\n', 'a\nb\n', [' a', '-', ' b']],
  ['a\n', 'a\n', [' a']],
])('from %j to %j', (before, after, lines) => {
  expect(shown(before, after)).toEqual(lines);
});
