import { describe, expect, test } from 'vitest';
import { createScanner, findResources } from './find-resources.js';

const texts = (text: string) => findResources(text).resources.map((one) => one.text);

describe('finds', () => {
  test.each<[what: string, text: string, expected: string[]]>([
    [
      'addresses of both families and AS numbers',
      '192.0.2.1 2001:DB8::1 AS64500',
      ['192.0.2.1', '2001:db8::1', 'AS64500'],
    ],
    ['the client of an access log', '192.0.2.7 - - [23/Nov/2026:10:00:01 +0000] "GET /" 200', ['192.0.2.7']],
    [
      'both ends of tcpdump',
      '10:00:01.123 IP 192.0.2.1.443 > 198.51.100.2.55000: Flags',
      ['192.0.2.1', '198.51.100.2'],
    ],
    ['addresses with ports', '192.0.2.1:443 [2001:db8::1]:443', ['192.0.2.1', '2001:db8::1']],
    ['addresses after names', 'src=192.0.2.1 dst:192.0.2.2 "ip":"192.0.2.3"', ['192.0.2.1', '192.0.2.2', '192.0.2.3']],
    [
      'what was made harmless',
      '192[.]0[.]2[.]1 192(.)0(.)2(.)2 2001[:]db8[:][:]1',
      ['192.0.2.1', '192.0.2.2', '2001:db8::1'],
    ],
    ['prefixes, without host bits', '192.0.2.77/24 2001:db8::1/32', ['192.0.2.0/24', '2001:db8::/32']],
    ['a prefix of one address as the address', '192.0.2.1/32 2001:db8::1/128', ['192.0.2.1', '2001:db8::1']],
    ['the host of a URL', 'http://192.0.2.1/24 https://[2001:db8::1]/x', ['192.0.2.1', '2001:db8::1']],
    ['the address before a long path', '192.0.2.1/8080', ['192.0.2.1']],
    ['both ends of a range', '192.0.2.0-192.0.2.9', ['192.0.2.0', '192.0.2.9']],
    ['IPv4 inside IPv6', '::ffff:192.0.2.1', ['192.0.2.1']],
    ['the end of a sentence', 'From 192.0.2.1. Or 2001:db8::1: yes, AS64500.', ['192.0.2.1', '2001:db8::1', 'AS64500']],
    [
      'AS numbers as people write them',
      'as64500 AS 64501 ASN64502 AS064503',
      ['AS64500', 'AS64501', 'AS64502', 'AS64503'],
    ],
    ['a range of RPSL', 'inetnum: 192.0.2.0 - 192.0.2.255', ['192.0.2.0', '192.0.2.255']],
  ])('%s', (_what, text, expected) => {
    expect(texts(text)).toEqual(expected);
  });
});

describe('does not find', () => {
  test.each([
    ['times', '10:00:01 2026-11-23T10:00:01.000Z'],
    ['hardware addresses', '00:1a:2b:3c:4d:5e 00:1a:2b:ff:fe:3c:4d:5e'],
    ['fingerprints', `${'ab:1c:'.repeat(8)}00`],
    ['object identifiers', '1.3.6.1.4.1.311.21'],
    ['names with colons', 'a::b std::dec Foo::Bad'],
    ['impossible octets', '192.0.2.256 300.1.1.1'],
    ['parts of words', 'v192.0.2.1a x2001:db8::1g ALIAS64500 as-64500'],
    ['words before numbers', 'as 64500, as 5'],
    ['too large AS numbers', 'AS4294967296'],
    ['too long prefixes', '192.0.2.0/33'],
    ['nothing', ''],
  ])('%s', (_what, text) => {
    expect(texts(text)).toEqual([]);
  });
});

test('counts what is there several times, in any spelling', () => {
  const { resources } = findResources('2001:db8::1 2001:DB8:0::1 192.0.2.1 192.0.2.1/32 2001:0db8::0001');
  expect(resources.map(({ text, count }) => [text, count])).toEqual([
    ['2001:db8::1', 3],
    ['192.0.2.1', 2],
  ]);
});

test('orders by space, number and size', () => {
  const { resources } = findResources(
    'AS9 AS10 2001:db8::1 2001:db8::/32 198.51.100.1 9.0.0.1 198.51.100.0/24 198.51.100.0',
  );
  const sorted = resources.toSorted((a, b) => (a.order < b.order ? -1 : 1)).map(({ text }) => text);
  expect(sorted).toEqual([
    '9.0.0.1',
    '198.51.100.0/24',
    '198.51.100.0',
    '198.51.100.1',
    '2001:db8::/32',
    '2001:db8::1',
    'AS9',
    'AS10',
  ]);
});

test.each<[string, string | undefined]>([
  ['10.1.2.3', 'private'],
  ['172.31.0.1', 'private'],
  ['172.32.0.1', undefined],
  ['192.168.0.0/16', 'private'],
  ['192.0.0.0/8', undefined],
  ['100.64.0.1', 'behind a carrier’s NAT'],
  ['127.0.0.1', 'this machine'],
  ['::1', 'this machine'],
  ['fe80::1', 'link-local'],
  ['fd00::1', 'private'],
  ['ff02::1', 'multicast'],
  ['192.0.2.1', 'documentation'],
  ['2001:db8::1', 'documentation'],
  ['AS64500', 'documentation'],
  ['AS65000', 'private'],
  ['AS3333', undefined],
  ['193.0.6.139', undefined],
])('%s is special: %s', (text, name) => {
  const [found] = findResources(text).resources;
  expect(found?.special).toBe(name);
});

test('keeps a bounded number of different resources, and says so', () => {
  const { resources, isCut } = findResources('192.0.2.1 192.0.2.2 192.0.2.3 192.0.2.1', 2);
  expect(resources.map(({ text, count }) => [text, count])).toEqual([
    ['192.0.2.1', 2],
    ['192.0.2.2', 1],
  ]);
  expect(isCut).toBe(true);
});

test('finds the same in pieces of any size', () => {
  const text = `${'x'.repeat(500)} 192.0.2.1 - - [10:00:01] AS 64500\n2001:db8::1 198.51.100.0/24,203.0.113.9\n`.repeat(
    3,
  );
  const whole = findResources(text);
  for (let size = 1; size < 60; size++) {
    const scanner = createScanner();
    for (let at = 0; at < text.length; at += size) scanner.add(text.slice(at, at + size));
    expect(scanner.end()).toEqual(whole);
  }
});

test('a long line without blanks costs little', () => {
  const scanner = createScanner();
  for (let piece = 0; piece < 50; piece++) scanner.add('1.'.repeat(20_000));
  expect(scanner.end().resources).toEqual([]);
});
