import { expect, test } from 'vitest';
import { bottomModel, type ModelRange, randomTree } from '../../tests/random-trees.js';
import { bottomOf } from './list-below.js';

function bottom(...ranges: [first: number, last: number][]): string[] {
  const spans = ranges.map(([first, last]) => ({ key: `${first}-${last}`, first: BigInt(first), last: BigInt(last) }));
  return bottomOf(spans).map(({ key }) => key);
}

test.each<[what: string, ranges: [number, number][], expected: string[]]>([
  ['nothing', [], []],
  [
    'ranges without others inside',
    [
      [0, 9],
      [20, 29],
    ],
    ['0-9', '20-29'],
  ],
  [
    'no range whose ends are reached, even with a gap',
    [
      [0, 9],
      [0, 3],
      [6, 9],
    ],
    ['0-3', '6-9'],
  ],
  [
    'a range that is reached at one end',
    [
      [0, 9],
      [0, 3],
    ],
    ['0-9', '0-3'],
  ],
  [
    'as far upwards as no ends are reached',
    [
      [0, 99],
      [0, 49],
      [0, 9],
      [10, 19],
    ],
    ['0-99', '0-49', '0-9', '10-19'],
  ],
  [
    'nothing above a range whose ends are reached',
    [
      [0, 99],
      [0, 49],
      [0, 24],
      [25, 49],
    ],
    ['0-24', '25-49'],
  ],
  [
    'several objects with one range',
    [
      [0, 9],
      [0, 9],
      [2, 3],
    ],
    ['0-9', '0-9', '2-3'],
  ],
])('the bottom has %s', (_what, ranges, expected) => {
  expect(bottom(...ranges)).toEqual(expected);
});

test('the bottom of 1,000 random trees is that of the model', () => {
  for (let seed = 1; seed <= 1000; seed++) {
    const tree = randomTree(seed, 0n, 4096n);
    const requested = seed % 3 === 0 ? { first: 5n, last: 3000n } : { first: 0n, last: 4095n };
    const keyOf = ({ first, last }: ModelRange) => `${first}-${last}`;
    const inside = tree.filter(({ first, last }) => first >= requested.first && last <= requested.last);
    const spans = inside
      .filter((range) => keyOf(range) !== keyOf(requested))
      .map((range) => ({ key: keyOf(range), ...range }))
      .sort((one, other) => Number(one.first - other.first) || Number(other.last - one.last));
    const expected = new Set(bottomModel(tree, requested).map(keyOf));
    expect(bottomOf(spans).map(({ key }) => key)).toEqual(
      spans.map(({ key }) => key).filter((key) => expected.has(key)),
    );
    expect(expected.size).toBe(bottomOf(spans).length);
  }
});
