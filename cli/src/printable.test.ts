import { expect, test } from 'vitest';
import { printable, printableLine } from './printable.js';

test.each([
  ['plain text, Bjørn \u20ac', 'plain text, Bjørn \u20ac'],
  ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
  ['\u001b[2J\u001b]0;title\u0007', '\\x1b[2J\\x1b]0;title\\x07'],
  ['carriage\rreturn and\u0008\u007f', 'carriage\\x0dreturn and\\x08\\x7f'],
  ['\u009b31m of eight bits', '\\x9b31m of eight bits'],
  ['\u202eright to left\u2066', '\\u202eright to left\\u2066'],
])('%j is printed as %j', (text, printed) => {
  expect(printable(text)).toBe(printed);
});

test.each([
  ['short', 'short'],
  [' one\n  two\tthree ', 'one two three'],
  ['x'.repeat(30), `${'x'.repeat(20)}...`],
  ['\u001b'.repeat(30), `${'\\x1b'.repeat(20)}...`],
])('%j is one line: %j', (text, printed) => {
  expect(printableLine(text, 20)).toBe(printed);
});
