import { type AddressRange, parseIpv4Range, parseIpv6 } from '@cadastre/rpsl';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressText, prefixesOf } from './addresses.js';

describe('addressText', () => {
  // RFC 5952, sections 1 and 4.
  it.each([
    ['2001:0db8:0000:0000:0000:0000:0002:0001', '2001:db8::2:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:DB8::ABCD', '2001:db8::abcd'],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['0:1:2:3:4:5:6:7', '0:1:2:3:4:5:6:7'],
    ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ])('writes %s as %s', (written, canonical) => {
    expect(addressText(6, parseIpv6(written)!)).toBe(canonical);
  });

  it('writes IPv4 addresses as dotted quads', () => {
    expect(addressText(4, 0xc0000207n)).toBe('192.0.2.7');
  });
});

describe('prefixesOf', () => {
  it.each([
    ['192.0.2.0 - 192.0.2.255', ['192.0.2.0/24']],
    ['192.0.2.0 - 192.0.2.99', ['192.0.2.0/26', '192.0.2.64/27', '192.0.2.96/30']],
    ['192.0.2.255 - 192.0.3.0', ['192.0.2.255/32', '192.0.3.0/32']],
    ['192.0.2.7 - 192.0.2.7', ['192.0.2.7/32']],
    ['0.0.0.0 - 255.255.255.255', ['0.0.0.0/0']],
  ])('splits %s', (range, prefixes) => {
    expect(written(parseIpv4Range(range)!)).toEqual(prefixes);
  });

  it('needs at most 2 * 32 - 2 prefixes', () => {
    expect(prefixesOf({ family: 4, first: 1n, last: 0xfffffffen })).toHaveLength(62);
  });

  it('makes up any range from the fewest prefixes, in order', () => {
    const bits = { 4: 32n, 6: 128n } as const;
    const ranges = fc.constantFrom(4 as const, 6 as const).chain((family) => {
      // Short distances and aligned ends are as frequent as others.
      const address = fc
        .tuple(fc.bigInt({ min: 0n, max: (1n << bits[family]) - 1n }), fc.bigInt({ min: 0n, max: bits[family] }))
        .map(([any, cleared]) => (any >> cleared) << cleared);
      const ordered = fc.tuple(address, address).filter(([first, last]) => first <= last);
      return ordered.map(([first, last]) => ({ family, first, last }));
    });
    fc.assert(fc.property(ranges, isMadeUp), { numRuns: 10_000 });
  });
});

function isMadeUp(range: AddressRange): boolean {
  const bits = range.family === 4 ? 32 : 128;
  const prefixes = prefixesOf(range).map(({ first, length }) => ({ first, size: 1n << BigInt(bits - length) }));
  let next = range.first;
  for (const [index, { first, size }] of prefixes.entries()) {
    const before = prefixes[index - 1];
    const couldMerge = before?.size === size && before.first % (2n * size) === 0n;
    if (first !== next || first % size !== 0n || couldMerge) return false;
    next = first + size;
  }
  return next === range.last + 1n && prefixes.length <= 2 * bits - 2 + 1;
}

function written(range: AddressRange): string[] {
  return prefixesOf(range).map(({ first, length }) => `${addressText(range.family, first)}/${length}`);
}
