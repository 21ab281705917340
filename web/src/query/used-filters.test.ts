import { expect, test } from 'vitest';
import { emptyQuestion, type Question } from './question.js';
import { noFilters, usedFilters } from './used-filters.js';

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
