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
  ['a\nb\nc\na\nb\nb\na\n', 'c\nb\na\nb\na\nc\n', ['-a', '-b', ' c', '+b', ' a', ' b', '-b', ' a', '+c']],
])('from %j to %j', (before, after, lines) => {
  expect(shown(before, after)).toEqual(lines);
});

const numbers = (count: number, of: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => of(i)).join('\n');

test('a long text has the shortest difference while that is short, and any difference otherwise', () => {
  const before = numbers(20_000, (index) => `member ${index}`);
  const changesOf = (after: string) => diffLines(before, after).filter(({ kind }) => kind !== 'same');
  const few = numbers(20_000, (index) => (index % 100 === 50 ? `changed ${index}` : `member ${index}`));
  expect(changesOf(few)).toHaveLength(400);
  const many = changesOf(numbers(20_000, (index) => `other ${index}`));
  expect([many.length, many[0], many.at(-1)]).toEqual([
    40_000,
    { kind: 'removed', text: 'member 0' },
    { kind: 'added', text: 'other 19999' },
  ]);
});
