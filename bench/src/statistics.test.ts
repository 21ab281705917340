import { describe, expect, it } from 'vitest';
import { compare, median } from './statistics.ts';

it.each([
  [[3], 3],
  [[10, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
])('median of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle);
});

describe('compare', () => {
  const hundred = [100, 100, 100, 100, 100];

  it.each([
    [
      'faster in each round',
      [110, 120, 130, 120, 115],
      hundred,
      { ratio: 1.2, lowest: 1.1, highest: 1.3, differs: true },
    ],
    ['slower in each round', [80, 80, 85, 90, 75], hundred, { ratio: 0.8, lowest: 0.75, highest: 0.9, differs: true }],
    ['once equal', [100, 120, 130, 120, 120], hundred, { ratio: 1.2, lowest: 1, highest: 1.3, differs: false }],
    ['now faster, now slower', [90, 150, 160, 150, 150], hundred, { ratio: 1.5, differs: false }],
    ['a spread larger than the difference', [101, 103, 105, 140, 103], hundred, { ratio: 1.03, differs: false }],
    ['a machine that becomes slower', [220, 110, 55, 22, 11], [200, 100, 50, 20, 10], { ratio: 1.1, differs: true }],
    ['four rounds prove nothing', [200, 200, 200, 200], hundred.slice(1), { ratio: 2, differs: false }],
  ])('%s', (_, values, base, expected) => {
    const { ratio, ...others } = compare(values, base);
    expect(ratio).toBeCloseTo(expected.ratio);
    expect({ ...others, ratio: expected.ratio }).toMatchObject(expected);
  });
});
