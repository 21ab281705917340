import { expect, test } from 'vitest';
import { isBeginning, likeliestFirst } from './search-suggestions.js';

test.each([
  ['EX', true],
  ['192.0', true],
  ['Example Net', true],
  ['', false],
  ['E', false],
  ['-i mnt-by', false],
  ['/-/query', false],
  ['https://www.example.net', false],
  ['noc@example.net', false],
  ['x'.repeat(65), false],
])('%j may be the beginning of a name: %j', (text, may) => {
  expect(isBeginning(text)).toBe(may);
});

test('keys are before names, and of both first one of each type', () => {
  const named = (type: string, key: string) => ({ source: 'TEST', type, key });
  const found = [
    named('person', 'AE1-TEST'),
    named('mntner', 'EX-1-MNT'),
    named('mntner', 'EX-2-MNT'),
    named('role', 'EX1-TEST'),
  ];
  expect(likeliestFirst(found, 'ex').map(({ key }) => key)).toEqual([
    ...['EX-1-MNT', 'EX1-TEST', 'EX-2-MNT'],
    'AE1-TEST',
  ]);
});
