import { expect, it } from 'vitest';
import { wrapWords } from './wrap-words.js';

it.each<[string, string, string[]]>([
  ['as many words as fit', 'one two three', ['one two', 'three']],
  ['a longer word has a line of its own', 'a wonderful day', ['a', 'wonderful', 'day']],
  ['blanks inside a line stay', 'a  b c', ['a  b c']],
  ['no words are one empty line', '', ['']],
])('words are wrapped: %s', (_rule, text, lines) => {
  expect(wrapWords(text.split(' '), 7)).toEqual(lines);
});
