import { expect, test } from 'vitest';
import {
  emptyQuestion,
  noFilters,
  type Question,
  queryOf,
  readQuestion,
  usedFilters,
  writeQuestion,
} from './question.js';

const full = {
  text: '192.0.2.0/24',
  types: ['inetnum', 'route'],
  source: 'TEST',
  inverse: ['mnt-by'],
  level: 'all-less',
  flags: ['no-referenced'],
  offset: 50,
  asOf: '2026-01-02T03:04:00Z',
  by: 'words',
  after: 'cursor',
} as const;

test.each([emptyQuestion, full])('the URL of a query restores the query', (question) => {
  expect(readQuestion(writeQuestion(question))).toEqual(question);
});

test('empty parts are not in the URL', () => {
  expect(String(writeQuestion({ ...emptyQuestion, text: 'AS64500' }))).toBe('q=AS64500');
});

test('an invalid offset is ignored', () => {
  expect(readQuestion(new URLSearchParams('q=x&offset=-3')).offset).toBe(0);
  expect(readQuestion(new URLSearchParams('q=x&offset=many')).offset).toBe(0);
});

test('the level is a flag of the registry', () => {
  expect(queryOf(full).flags).toEqual(['all-less', 'no-referenced']);
});

test('several sources have commas between them', () => {
  expect(queryOf({ ...full, source: 'TEST,OTHER-GRS' }).sources).toEqual(['TEST', 'OTHER-GRS']);
});

test.each<[Partial<Question>, string[]]>([
  [{ text: 'x', by: 'words', offset: 50 }, []],
  [{ types: ['route', 'inetnum'] }, ['route', 'inetnum']],
  [{ level: 'one-less' }, ['Smallest enclosing range']],
  [{ inverse: ['origin'], flags: ['irt'] }, ['by origin', 'With incident response teams']],
  [{ source: 'TEST,OTHER-GRS', asOf: '2001-01-01' }, ['in TEST, OTHER-GRS', 'as of 2001-01-01 00:00 UTC']],
  [{ flags: ['unknown'] }, ['unknown']],
])('the filters of %j are %j', (part, labels) => {
  const question = { ...emptyQuestion, ...part };
  const used = usedFilters(question);
  expect(used.map(({ label }) => label)).toEqual(labels);
  for (const { label, without } of used) {
    const left = usedFilters({ ...question, ...without }).map((one) => one.label);
    expect(left).toEqual(labels.filter((other) => other !== label));
  }
  expect(usedFilters({ ...question, ...noFilters })).toEqual([]);
});
