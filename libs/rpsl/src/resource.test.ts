import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contains, isWholeSpace, overlaps, prefixLength } from './address-range.js';
import { parseAsBlock, parseAsNumber } from './as-number.js';
import { reverseDomainRange } from './domain-name.js';
import { formatIpv4, formatIpv4Range, parseIpv4, parseIpv4Range } from './ipv4.js';
import { formatIpv6, parseIpv6, parseIpv6Prefix } from './ipv6.js';
import { parsed } from './parsed.fixture.js';
import { formatPrefix, formatRange, isRoot, parseResource, rangeOf, rangeOfKey } from './resource.js';

const max4 = 2n ** 32n - 1n;
const max6 = 2n ** 128n - 1n;

describe('IPv4', () => {
  test.each([
    ['192.0.2.0 - 192.0.2.255', '192.0.2.0 - 192.0.2.255'],
    ['192.0.2.0-192.0.2.255', '192.0.2.0 - 192.0.2.255'],
    ['192.0.2.0/24', '192.0.2.0 - 192.0.2.255'],
    ['192.0.2/24', '192.0.2.0 - 192.0.2.255'],
    ['10/8', '10.0.0.0 - 10.255.255.255'],
    ['0/0', '0.0.0.0 - 255.255.255.255'],
    ['10 - 10.1', '10.0.0.0 - 10.1.0.0'],
    ['192.000.002.0/24', '192.0.2.0 - 192.0.2.255'],
    ['192.0.2.7', '192.0.2.7 - 192.0.2.7'],
    ['255.255.255.255/32', '255.255.255.255 - 255.255.255.255'],
  ])('%j is the range %j', (text, range) => {
    expect(formatIpv4Range(parseIpv4Range(text)!)).toBe(range);
  });

  test.each([
    '',
    '-',
    '/',
    '/24',
    '192.0.2.0/',
    '192.0.2.0/33',
    '192.0.2.1/24',
    '192.0.2.256',
    '192.0.2',
    '192.0.2.',
    '.192.0.2',
    '192..0.2',
    '192.0.2.0.0',
    '192.0.2.00',
    '192.0.2.0.0/24',
    '192.0.2.9 - 192.0.2.0',
    '192.0.2.0 - 192.0.2.9 - 192.0.2.11',
    '192.0.2.0/25 - 192.0.2.255',
    ' 192.0.2.0',
    '192.0.2.0/2 4',
    '0x0a.0.0.0/8',
    '1e1.0.0.0',
    '2001:db8::/32',
  ])('%j is not a range', (text) => {
    expect(parseIpv4Range(text)).toBeUndefined();
  });

  test('every formatted address and range parses to itself', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, max4), fc.bigInt(0n, max4), (a, size) => {
        const range = { family: 4 as const, first: a, last: a + (size % (max4 - a + 1n)) };
        expect(BigInt(parseIpv4(formatIpv4(a))!)).toBe(a);
        expect(parseIpv4Range(formatIpv4Range(range))).toEqual(range);
      }),
    );
  });

  test('every formatted prefix parses to itself', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, max4), fc.integer({ min: 0, max: 32 }), (address, length) => {
        const size = 1n << BigInt(32 - length);
        const first = address - (address % size);
        const range = { family: 4 as const, first, last: first + size - 1n };
        expect(prefixLength(range)).toBe(length);
        expect(parseIpv4Range(formatPrefix(range))).toEqual(range);
      }),
    );
  });

  test('a range that is not a prefix is formatted with both ends', () => {
    expect(formatPrefix(parseIpv4Range('192.0.2.0 - 192.0.2.2')!)).toBe('192.0.2.0 - 192.0.2.2');
    expect(formatPrefix(parseIpv4Range('192.0.2.1 - 192.0.2.2')!)).toBe('192.0.2.1 - 192.0.2.2');
  });
});

describe('IPv6', () => {
  test.each([
    ['2001:DB8::1/32', '2001:db8::/32'],
    ['2001:db8::', '2001:db8::/128'],
    ['2001:0:0:1:0:0:1:1', '2001:0:0:1::1:1/128'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8::1:1:1:1:1/128'],
    ['2001:0db8:0000:0000:0001:0000:0000:0000/64', '2001:db8::/64'],
    ['1:0:0:0:2:0:0:3', '1::2:0:0:3/128'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8/128'],
    ['::/0', '::/0'],
    ['::', '::/128'],
    ['::1', '::1/128'],
    ['1::', '1::/128'],
    ['[2001:db8::]/32', '2001:db8::/32'],
    ['2001:db8::192.0.2.1', '2001:db8::c000:201/128'],
    ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4:5:6:c000:201/128'],
    ['::192.0.2.1', '::c000:201/128'],
    ['2001:db8::/33', '2001:db8::/33'],
    ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/1', '8000::/1'],
  ])('%j is the prefix %j', (text, prefix) => {
    expect(formatPrefix(parseIpv6Prefix(text)!)).toBe(prefix);
  });

  test.each([
    '',
    ':',
    ':::',
    '2001:db8',
    '2001:db8::/129',
    '2001:db8::/',
    '2001:db8::/x',
    '2001:db8::1::2',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8:9',
    '1:2:3:4::5:6:7:8',
    '12345::',
    'g::',
    ':1::2',
    '1::2:',
    '1:2:3:4:5:6:7:',
    '::ffff:192.0.2.1',
    '::ffff:c000:201',
    '192.0.2.1::',
    '::192.0.2.1:1',
    '::192.0.2',
    '192.0.2.0/24',
    '2001:db8:: ',
    '2001:db8::%1',
    '2001:db8::/32 - 2001:db9::/32',
    `${'0'.repeat(100)}::`,
  ])('%j is not a prefix', (text) => {
    expect(parseIpv6Prefix(text)).toBeUndefined();
  });

  test('every formatted address parses to itself', () => {
    // Zero groups are common in addresses and rare in random numbers.
    const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }));
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        fc.pre(!(groups[5] === 0xffff && groups.slice(0, 5).every((g) => g === 0)));
        const address = groups.reduce((sum, g) => (sum << 16n) | BigInt(g), 0n);
        expect(parseIpv6(formatIpv6(address))).toBe(address);
      }),
    );
  });

  test('every formatted prefix parses to itself', () => {
    fc.assert(
      fc.property(fc.bigInt(2n ** 96n, max6), fc.integer({ min: 0, max: 128 }), (address, length) => {
        const hostBits = (1n << BigInt(128 - length)) - 1n;
        const range = { family: 6 as const, first: address & ~hostBits, last: address | hostBits };
        expect(prefixLength(range)).toBe(length);
        expect(parseIpv6Prefix(formatPrefix(range))).toEqual(range);
        expect(parseIpv6Prefix(`${formatIpv6(address)}/${length}`)).toEqual(range);
      }),
    );
  });
});

describe('AS numbers', () => {
  test.each([
    ['AS0', 0],
    ['as64500', 64500],
    ['AS4294967295', 4294967295],
    ['AS4294967296', undefined],
    ['AS064500', undefined],
    ['AS', undefined],
    ['64500', undefined],
    ['AS64500.1', undefined],
    ['AS-1', undefined],
  ])('%j is the number %j', (text, number) => {
    expect(parseAsNumber(text)).toBe(number);
  });

  test.each([
    ['AS64500 - AS64510', { first: 64500, last: 64510 }],
    ['as64500-as64500', { first: 64500, last: 64500 }],
    ['AS05 - AS6', { first: 5, last: 6 }],
    ['AS64510 - AS64500', undefined],
    ['AS64500-64510', undefined],
    ['AS64500', undefined],
    ['AS1-AS2-AS3', undefined],
    [`AS1 - AS${'9'.repeat(40)}`, undefined],
  ])('%j is the block %j', (text, block) => {
    expect(parseAsBlock(text)).toEqual(block);
  });
});

describe('reverse domains', () => {
  test.each([
    ['2.0.192.in-addr.arpa', '192.0.2.0 - 192.0.2.255'],
    ['2.0.192.IN-ADDR.ARPA.', '192.0.2.0 - 192.0.2.255'],
    ['10.in-addr.arpa', '10.0.0.0 - 10.255.255.255'],
    ['7.2.0.192.in-addr.arpa', '192.0.2.7 - 192.0.2.7'],
    ['0-127.2.0.192.in-addr.arpa', '192.0.2.0 - 192.0.2.127'],
    ['5-9.2.0.192.in-addr.arpa', '192.0.2.5 - 192.0.2.9'],
    ['8.b.d.0.1.0.0.2.ip6.arpa', '2001:db8::/32'],
    ['f.8.b.d.0.1.0.0.2.ip6.arpa', '2001:db8:f000::/36'],
  ])('%j has the addresses %j', (domain, range) => {
    expect(formatRange(reverseDomainRange(domain)!)).toBe(range);
  });

  test.each([
    'example.net',
    'in-addr.arpa',
    '.in-addr.arpa',
    '256.in-addr.arpa',
    '02.0.192.in-addr.arpa',
    '1.2.3.4.5.in-addr.arpa',
    '0-255.2.0.192.in-addr.arpa',
    '10-5.2.0.192.in-addr.arpa',
    '1-2.0.192.in-addr.arpa',
    'g.ip6.arpa',
    '10.ip6.arpa',
    `${'0.'.repeat(33)}ip6.arpa`,
    '1.3.e164.arpa',
  ])('%j has no addresses', (domain) => {
    expect(reverseDomainRange(domain)).toBeUndefined();
  });

  test('32 nibbles are one address', () => {
    const range = reverseDomainRange(`${'0.'.repeat(24)}8.b.d.0.1.0.0.2.ip6.arpa`);
    expect(formatRange(range!)).toBe('2001:db8::/128');
  });
});

test.each([
  ['inetnum: 192.0.2/24', '192.0.2.0 - 192.0.2.255'],
  ['inet6num: 2001:db8::/32', '2001:db8::/32'],
  ['route: 192.0.2.0/24\norigin: AS64500', '192.0.2.0 - 192.0.2.255'],
  ['route6: 2001:db8::/32\norigin: AS64500', '2001:db8::/32'],
  ['domain: 2.0.192.in-addr.arpa', '192.0.2.0 - 192.0.2.255'],
])('the object %j occupies %j', (text, range) => {
  const found = rangeOf(parsed(text));
  expect(found && 'family' in found && formatRange(found)).toBe(range);
});

test.each([
  ['aut-num: AS64500', { as: { first: 64500, last: 64500 } }],
  ['as-block: AS64500 - AS64510', { as: { first: 64500, last: 64510 } }],
  ['mntner: A-MNT', undefined],
  ['inetnum: nonsense', undefined],
  ['domain: 1.3.e164.arpa', undefined],
])('the object %j occupies %j', (text, range) => {
  expect(rangeOf(parsed(text))).toEqual(range);
});

test.each([
  ['192.0.2.1', '192.0.2.1 - 192.0.2.1'],
  [' 192.0.2.0/24 ', '192.0.2.0 - 192.0.2.255'],
  ['192.0.2.0 - 192.0.2.9', '192.0.2.0 - 192.0.2.9'],
  ['2001:db8::1', '2001:db8::1/128'],
])('%j is accepted for %j', (text, range) => {
  const found = parseResource(text);
  expect(found && 'family' in found && formatRange(found)).toBe(range);
});

test.each([
  ['as64500', { as: { first: 64500, last: 64500 } }],
  ['AS1-AS5', { as: { first: 1, last: 5 } }],
  ['64500', undefined],
  ['EXAMPLE-MNT', undefined],
  ['', undefined],
])('%j is accepted for %j', (text, resource) => {
  expect(parseResource(text)).toEqual(resource);
});

test('containment and overlap depend on both ends and never cross families', () => {
  const range = (text: string) => parseResource(text) as ReturnType<typeof parseIpv4Range> & object;
  expect(contains(range('192.0.2.0/24'), range('192.0.2.0/24'))).toBe(true);
  expect(contains(range('192.0.2.0/24'), range('192.0.2.128/25'))).toBe(true);
  expect(contains(range('192.0.2.128/25'), range('192.0.2.0/24'))).toBe(false);
  expect(contains(range('::/0'), range('192.0.2.0/24'))).toBe(false);
  expect(overlaps(range('192.0.2.0 - 192.0.2.9'), range('192.0.2.9 - 192.0.2.20'))).toBe(true);
  expect(overlaps(range('192.0.2.0 - 192.0.2.9'), range('192.0.2.10 - 192.0.2.20'))).toBe(false);
  expect(overlaps(range('::/0'), range('0/0'))).toBe(false);
  expect(contains({ first: 1, last: 5 }, { first: 2, last: 5 })).toBe(true);
  expect(overlaps({ first: 1, last: 5 }, { first: 6, last: 7 })).toBe(false);
});

test.each([
  ['inetnum', '192.0.2.0 - 192.0.2.255', '192.0.2.0/24'],
  ['inet6num', '2001:db8::/32', '2001:db8::/32'],
  ['route', '192.0.2.0/24AS64500', '192.0.2.0/24'],
  ['route6', '2001:db8::/32as64500', '2001:db8::/32'],
  ['domain', '2.0.192.in-addr.arpa', '192.0.2.0/24'],
  ['domain', 'example.net', undefined],
  ['aut-num', 'AS64500', undefined],
  ['mntner', 'A-MNT', undefined],
  ['constructor', '192.0.2.0/24', undefined],
])('the key of the %s %s names the addresses %s', (type, key, prefix) => {
  const range = rangeOfKey(type, key);
  expect(range && formatPrefix(range)).toBe(prefix);
});

test.each([
  ['0.0.0.0/0', true],
  ['::/0', true],
  ['AS0 - AS4294967295', true],
  ['0.0.0.0/1', false],
  ['0.0.0.1 - 255.255.255.255', false],
  ['8000::/1', false],
  ['AS1 - AS4294967295', false],
])('%s is a whole number space: %s', (text, isWhole) => {
  expect(isWholeSpace(parseResource(text)!)).toBe(isWhole);
});

test.each([
  ['inetnum', '0.0.0.0 - 255.255.255.255', true],
  ['inet6num', '::/0', true],
  ['inetnum', '0.0.0.0 - 127.255.255.255', false],
  ['route6', '::/0AS64500', false],
])('the %s %s is a root: %s', (type, key, expected) => {
  expect(isRoot({ type, key })).toBe(expected);
});
