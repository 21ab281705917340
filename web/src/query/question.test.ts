import { expect, test } from 'vitest';
import { emptyQuestion, queryOf, readQuestion, writeQuestion } from './question.js';

const full = {
  text: '192.0.2.0/24',
  types: ['inetnum', 'route'],
  source: 'TEST',
  inverse: ['mnt-by'],
  level: 'all-less',
  flags: ['no-referenced'],
  offset: 50,
} as const;

test.each([emptyQuestion, full])('the address of a question asks that question', (question) => {
  expect(readQuestion(writeQuestion(question))).toEqual(question);
});

test('what is not asked is not in the address', () => {
  expect(String(writeQuestion({ ...emptyQuestion, text: 'AS64500' }))).toBe('q=AS64500');
});

test('an offset that is no number is none', () => {
  expect(readQuestion(new URLSearchParams('q=x&offset=-3')).offset).toBe(0);
  expect(readQuestion(new URLSearchParams('q=x&offset=many')).offset).toBe(0);
});

test('the level is a flag of the registry', () => {
  expect(queryOf(full).flags).toEqual(['all-less', 'no-referenced']);
});
