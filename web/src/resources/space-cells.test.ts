import { type AddressRange, formatPrefix, parseResource } from '@cadastre/rpsl';
import { describe, expect, it, test } from 'vitest';
import type { Space } from '../api/space.js';
import { cellsOf, offeredPrefix, shareText } from './space-cells.js';

const range = (text: string) => parseResource(text) as AddressRange;

function space(whole: string, parts: [string, bigint, number][], inside: string[]): Space {
  return {
    range: range(whole),
    type: 'inetnum',
    used: 0n,
    objects: 0,
    isPartial: false,
    enclosing: [],
    parts: parts.map(([part, used, objects]) => ({ range: range(part), used, objects })),
    inside: inside.map((key) => ({ source: 'TEST', type: 'inetnum', key, range: range(key) })),
    free: [],
  };
}

describe('a cell', () => {
  const cells = cellsOf(
    space(
      '10.0.0.0/22',
      [
        ['10.0.0.0/24', 0n, 0],
        ['10.0.1.0/24', 1n, 1],
        ['10.0.2.0/24', 256n, 1],
        ['10.0.3.0/24', 256n, 1200],
      ],
      ['10.0.1.7 - 10.0.1.7', '10.0.2.0 - 10.0.3.255'],
    ),
  );

  it('says how much of its addresses is used, by what', () => {
    expect(cells.map(({ label }) => label)).toEqual([
      '10.0.0.0/24: free',
      '10.0.1.0/24: less than 1% used, 1 object',
      '10.0.2.0/24: all used, in 10.0.2.0/23',
      '10.0.3.0/24: all used, in 10.0.2.0/23',
    ]);
  });

  it('says no more than is known when some objects were not read', () => {
    const parts: [string, bigint, number][] = [
      ['10.0.0.0/9', 0n, 0],
      ['10.128.0.0/9', 2n ** 21n, 70_000],
    ];
    const partial = { ...space('10.0.0.0/8', parts, []), isPartial: true };
    expect(cellsOf(partial).map(({ label }) => label)).toEqual([
      '10.0.0.0/9: not known',
      '10.128.0.0/9: at least 25% used, 70,000 objects',
    ]);
  });

  it('shows that something is used, however little', () => {
    expect(cells.map(({ share }) => share)).toEqual([0, 0.1, 1, 1]);
  });

  it('leads to the map of its addresses, or of the object that has all of them', () => {
    const places = cells.map(({ leadsTo }) => leadsTo.kind === 'space' && formatPrefix(leadsTo.range));
    expect(places).toEqual(['10.0.0.0/24', '10.0.1.0/24', '10.0.2.0/23', '10.0.2.0/23']);
  });

  test('of one address leads to its object, or nowhere', () => {
    const single = cellsOf(
      space(
        '10.0.0.0/31',
        [
          ['10.0.0.0', 1n, 1],
          ['10.0.0.1', 0n, 0],
        ],
        ['10.0.0.0 - 10.0.0.0'],
      ),
    );
    expect(single.map(({ leadsTo }) => leadsTo)).toMatchObject([
      { kind: 'object', key: '10.0.0.0 - 10.0.0.0' },
      { kind: 'free' },
    ]);
  });

  test('that is the whole range leads nowhere', () => {
    const [cell] = cellsOf(space('10.0.0.0', [['10.0.0.0', 0n, 0]], []));
    expect(cell?.leadsTo).toEqual({ kind: 'free' });
  });
});

it.each([
  [0n, 256n, 'none'],
  [1n, 256n, 'less than 1%'],
  [64n, 256n, '25%'],
  [255n, 256n, 'more than 99%'],
  [256n, 256n, 'all'],
  [1n, 2n ** 96n, 'less than 1%'],
])('%s of %s addresses are %s', (used, size, words) => {
  expect(shareText(used, size)).toBe(words);
});

describe('the offered prefix', () => {
  const free = ['10.0.128.0/17', '10.0.64.0/18', '10.0.2.0/25', '10.0.2.0/26'].map(range);

  it.each([
    ['has the wanted length', 4, 18, '10.0.64.0/18'],
    ['is the next smaller one', 4, 20, '10.0.2.0/25'],
    ['has the usual length, or is smaller', 4, undefined, '10.0.2.0/25'],
    ['is the smallest one when all are larger', 4, 30, '10.0.2.0/26'],
  ] as const)('%s', (_what, family, wanted, prefix) => {
    expect(formatPrefix(offeredPrefix(free, family, wanted)!)).toBe(prefix);
  });

  test('of IPv6 has 48 bits', () => {
    const prefixes = ['2001:db8::/40', '2001:db8::/48', '2001:db8::/56'].map(range);
    expect(formatPrefix(offeredPrefix(prefixes, 6, undefined)!)).toBe('2001:db8::/48');
  });

  test('does not exist where nothing is free', () => {
    expect(offeredPrefix([], 4, 24)).toBeUndefined();
  });
});
