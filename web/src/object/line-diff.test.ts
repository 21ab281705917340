import { expect, test } from 'vitest';
import { diffLines, nearChanges } from './line-diff.js';

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

test('shows only lines near a change, and marks gaps', () => {
  const lines = diffLines('1\n2\n3\n4\n5\n6\n7\n', '1\n2\n3\nx\n5\n6\n7\n');
  expect(nearChanges(lines, 1).map(({ text }) => text)).toEqual(['…', '3', '4', 'x', '5', '…']);
});
