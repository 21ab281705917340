import { expect, test } from 'vitest';
import { type Draft, draftOfText } from './draft.js';
import { faultyLine, withLines } from './text-lines.js';

test.each([
  ['', 1],
  ['nothing', 1],
  ['\n\nnothing: X', 3],
  ['person: X\naddress: Y\n  more\nno attribute\nsource: TEST', 4],
  ['person: X\n+ more\n: empty\n', 3],
])('the text %j has its fault in line %i', (text, line) => {
  expect(faultyLine(text)).toBe(line);
});

test('a message about an attribute has the number of its line', () => {
  const text = 'as-set: AS-X\ndescr: a\n  b\n\tc\nmembers: AS1\nmembers: AS-\nmnt-by: A-MNT\nsource: TEST\n';
  const about = (name: string, value: string) => ({
    severity: 'Error' as const,
    text: 'wrong',
    attribute: { name, value },
  });
  const said = [about('members', 'AS-'), about('mnt-by', 'a-mnt'), { severity: 'Error' as const, text: 'all' }];
  expect(withLines(said, draftOfText(text) as Draft, text).map((one) => one.text)).toEqual([
    'Line 6: wrong',
    'Line 7: wrong',
    'all',
  ]);
});
