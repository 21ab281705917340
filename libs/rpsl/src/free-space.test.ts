import { expect, it, test } from 'vitest';
import type { AddressRange } from './address-range.js';
import { partsOf, spaceUse } from './free-space.js';
import { formatPrefix, parseResource } from './resource.js';

const range = (text: string) => parseResource(text) as AddressRange;
const use = (whole: string, registered: readonly string[], parts = 4) =>
  spaceUse(range(whole), registered.map(range), parts);

it.each([
  ['192.0.2.0/24', 4, ['192.0.2.0/26', '192.0.2.64/26', '192.0.2.128/26', '192.0.2.192/26']],
  ['192.0.2.0/24', 1, ['192.0.2.0/24']],
  ['192.0.2.0/31', 4, ['192.0.2.0/32', '192.0.2.1/32']],
  ['192.0.2.7', 4, ['192.0.2.7/32']],
  ['10.0.0.0 - 10.0.2.255', 4, ['10.0.0.0/24', '10.0.1.0/24', '10.0.2.0/24']],
  ['10.0.0.128 - 10.0.2.127', 3, ['10.0.0.128/25', '10.0.1.0/24', '10.0.2.0/25']],
  ['10.0.0.200 - 10.0.1.10', 2, ['10.0.0.200 - 10.0.0.255', '10.0.1.0 - 10.0.1.10']],
  ['0.0.0.0/0', 2, ['0.0.0.0/1', '128.0.0.0/1']],
  ['2001:db8::/32', 2, ['2001:db8::/33', '2001:db8:8000::/33']],
  ['::/0', 2, ['::/1', '8000::/1']],
])('%s has at most %i parts: %j', (whole, max, parts) => {
  expect(partsOf(range(whole), max).map(formatPrefix)).toEqual(parts);
});

it.each<[string, string[], number[]]>([
  ['192.0.2.0/24', [], [0, 0, 0, 0]],
  ['192.0.2.0/24', ['192.0.2.0/24'], [64, 64, 64, 64]],
  ['192.0.2.0/24', ['192.0.2.0/28', '192.0.2.32/27', '192.0.2.255'], [48, 0, 0, 1]],
  ['192.0.2.0/24', ['192.0.2.60 - 192.0.2.130'], [4, 64, 3, 0]],
  ['192.0.2.0/24', ['192.0.2.192/28', '192.0.2.224/28'], [0, 0, 0, 32]],
  ['2001:db8::/32', ['2001:db8:4000::/34', '2001:db8:ffff::/48'], [0, 2 ** 94, 0, 2 ** 80]],
])('%s with %j uses %j of its parts', (whole, registered, used) => {
  const result = use(whole, registered);
  expect(result.parts.map((part) => part.used)).toEqual(used.map(BigInt));
  expect(result.used).toBe(used.map(BigInt).reduce((sum, one) => sum + one));
});

it.each<[string, string[], Record<number, string>]>([
  ['192.0.2.0/24', ['192.0.2.0/24'], {}],
  ['192.0.2.0/30', [], { 30: '192.0.2.0/30', 31: '192.0.2.0/31', 32: '192.0.2.0/32' }],
  // A prefix begins at a multiple of its size.
  ['192.0.2.0/29', ['192.0.2.0'], { 30: '192.0.2.4/30', 31: '192.0.2.2/31', 32: '192.0.2.1/32' }],
  ['192.0.2.0/29', ['192.0.2.2 - 192.0.2.6'], { 31: '192.0.2.0/31', 32: '192.0.2.0/32' }],
  ['192.0.2.1 - 192.0.2.4', [], { 31: '192.0.2.2/31', 32: '192.0.2.1/32' }],
  ['2001:db8::/127', ['2001:db8::'], { 128: '2001:db8::1/128' }],
])('%s with %j has the free prefixes %j', (whole, registered, expected) => {
  const found = use(whole, registered).free.map(({ length, range: one }) => [length, formatPrefix(one)]);
  expect(Object.fromEntries(found)).toEqual(expected);
});

test('the first free prefix of a length lies before the first one of a shorter length, or with it', () => {
  const { free } = use('10.0.0.0/8', ['10.0.0.0/12', '10.16.0.0 - 10.16.1.255', '10.20.0.0/14'], 64);
  expect(free[0]).toEqual({ length: 9, range: range('10.128.0.0/9') });
  expect(free.at(-1)).toEqual({ length: 32, range: range('10.16.2.0') });
  expect(free.map(({ length }) => length)).toEqual([...free.keys()].map((at) => at + 9));
  const starts = free.map(({ range: one }) => one.first);
  expect(starts).toEqual([...starts].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
});

test('100,000 stretches are read once, also of IPv6', () => {
  function* stretches() {
    const start = range('2001:db8::/32').first;
    for (let at = 0n; at < 100_000n; at += 1n) yield { first: start + (at << 80n), last: start + (at << 80n) };
  }
  const { used, free, parts } = spaceUse(range('2001:db8::/16'), stretches(), 256);
  expect([used, parts.length]).toEqual([100_000n, 256]);
  expect(formatPrefix(free.find(({ length }) => length === 32)!.range)).toBe('2001::/32');
});
