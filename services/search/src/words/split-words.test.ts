import { expect, test } from 'vitest';
import { foldText, splitWords } from './split-words.js';

test.each([
  ['EXAMPLE-NET_1', ['example', 'net']],
  ['AS64496:AS-Customers', ['as64496', 'as', 'customers']],
  ['Café "Ångström" Straße, København', ['cafe', 'angstrom', 'strasse', 'kobenhavn']],
  ['A/S B.V. 3 24h', ['24h']],
  ["O'Neill & Søn   (noc@example.net)", ['neill', 'son', 'noc', 'example', 'net']],
  [`a${'b'.repeat(100)}`, [`a${'b'.repeat(63)}`]],
  ['again Again', ['again', 'again']],
  ['--- # ☃ Ελλάδα', []],
  ['', []],
])('%j has the words %j', (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

test('letter case and accents do not matter, other characters do', () => {
  expect(foldText('Ærø-Net ÞÐ')).toBe('aero-net thd');
});
