import { expect, test } from 'vitest';
import { nameTerms, termsOfNamesWith } from './name-terms.js';

const isFound = (name: string, text: string) => {
  const terms = new Set(nameTerms(name));
  return termsOfNamesWith(text).some((all) => all.every((term) => terms.has(term)));
};

const eight = 'a b c d e f g h';
const many = `${eight} i j k l m n o p q r s t`;

test.each<[name: string, text: string, expected: boolean]>([
  ['jane doe', 'jane', true],
  ['jane doe', 'doe jane', true],
  ['jane doe', 'jane jane doe', true],
  ['jane doe', 'jane john', false],
  ['jane doe', 'jan doe', false],
  ['jane a. doe', 'doe a. jane', true],
  ['jane a. doe', 'doe a. john', false],
  ['jane', 'jane doe', false],
  [eight, 'h a', true],
  [eight, 'a b c d e f g h', true],
  [eight, 'a b c d e f g i', false],
  [many, 't a', true],
  [many, 'a b t', true],
  [many, 'a u', false],
  [`x ${'y'.repeat(70)}`, `x ${'y'.repeat(64)}`, true],
  [`x ${'y'.repeat(70)}`, `x ${'y'.repeat(70)}`, false],
])('the name "%s" has the words "%s": %s', (name, text, expected) => {
  expect(isFound(name, text)).toBe(expected);
});

test.each([
  ['jane', 1],
  ['jane doe', 3],
  [eight, 36],
  [many, 21],
])('the name "%s" has %d terms', (name, count) => {
  expect(new Set(nameTerms(name)).size).toBe(count);
  expect(nameTerms(name)).toHaveLength(count);
});
