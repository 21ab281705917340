import { describe, expect, test } from 'vitest';
import { comparedVersions, comparisonParameters, hiddenAttributes } from './comparison.js';

describe('the versions to compare', () => {
  const version = (revision: number, isDeleted = false) =>
    ({ revision, date: '', operation: isDeleted ? 'DEL' : 'ADD/UPD' }) as const;
  const versions = [version(5), version(4, true), version(3), version(1)];

  test.each([
    ['', { from: 3, to: 5 }],
    ['from=1&to=3', { from: 1, to: 3 }],
    ['from=5&to=1', { from: 5, to: 1 }],
    ['to=3', { from: 1, to: 3 }],
    ['to=1', { from: 0, to: 1 }],
    ['from=4&to=99', { from: 3, to: 5 }],
  ])('of the address ?%s are %j', (address, compared) => {
    expect(comparedVersions(new URLSearchParams(address), versions)).toEqual(compared);
  });

  test('have an address', () => {
    const address = new URLSearchParams(comparisonParameters({ from: 5, to: 1 }));
    expect(comparedVersions(address, versions)).toEqual({ from: 5, to: 1 });
  });

  test('do not exist when all is deleted', () => {
    expect(comparedVersions(new URLSearchParams(), [version(2, true)])).toEqual({ from: 0, to: 0 });
  });
});

test.each([
  ['last-modified: 1\nsource: TEST\n', 'last-modified: 2\nsource: TEST\n', true],
  ['last-modified: 1\n', 'last-modified: 1\n', true],
  ['descr: a\nlast-modified: 1\n', 'descr: b\nlast-modified: 2\n', false],
  ['', 'last-modified: 1\nsource: TEST\n', false],
])('from %j to %j only hidden attributes may have changed: %j', (before, after, isHidden) => {
  const names = hiddenAttributes('inetnum', before, after);
  expect(names?.includes('tech-c') ?? false).toBe(isHidden);
  expect(names ?? []).not.toContain('mnt-by');
});
