import { expect, test } from 'vitest';
import { foldedText, stretchesOf } from './fold.js';

const lines = (name: string, count: number) => Array.from({ length: count }, (_, at) => ({ name, value: `${at}` }));

test.each([
  ['few lines', [...lines('as-set', 1), ...lines('members', 120)], [[121, '']]],
  [
    'many members',
    [...lines('as-set', 1), ...lines('members', 3_000), ...lines('source', 1)],
    [
      [101, ''],
      [2_900, '2,900 more lines of members'],
      [1, ''],
    ],
  ],
  [
    'a policy whose attributes take turns',
    [...lines('import', 200).flatMap((line) => [line, { ...line, name: 'export' }]), ...lines('source', 1)],
    [
      [200, ''],
      [200, '200 more lines of import, export'],
      [1, ''],
    ],
  ],
])('%s', (_what, attributes, expected) => {
  const stretches = stretchesOf(attributes);
  expect(stretches.map((one) => [one.attributes.length, one.isFolded ? foldedText(one) : ''])).toEqual(expected);
  expect(stretches.flatMap((one) => one.attributes)).toEqual(attributes);
});
