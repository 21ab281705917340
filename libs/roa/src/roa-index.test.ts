import { expect, test } from 'vitest';
import { entry, indexOfRoas } from '../tests/testing.js';
import { type Prefix, type RoaPayload, readPayload } from './payload.js';
import { type RoaIndex, roaIndexBuilder } from './roa-index.js';

const shown = (index: RoaIndex, prefix: string) =>
  index.covering(readPayload(entry(`AS1 ${prefix}`))!).map(({ text, asn }) => `${text} ${asn}`);

const nested = indexOfRoas(
  'AS6 192.0.2.0/24',
  'AS1 0.0.0.0/0',
  'AS4 192.0.0.0/16',
  'AS5 192.0.0.0/16',
  'AS7 192.0.2.128/25',
  'AS8 192.0.3.0/24',
  'AS2 10.0.0.0/8',
  'AS3 2001:db8::/32',
  'AS9 2001:db8:0:0:1::/80',
  'AS3 c000:200::/24',
);

test.each([
  ['192.0.2.0/24', ['0.0.0.0/0 1', '192.0.0.0/16 4', '192.0.0.0/16 5', '192.0.2.0/24 6']],
  ['192.0.2.128/32', ['0.0.0.0/0 1', '192.0.0.0/16 4', '192.0.0.0/16 5', '192.0.2.0/24 6', '192.0.2.128/25 7']],
  ['192.0.2.64/26', ['0.0.0.0/0 1', '192.0.0.0/16 4', '192.0.0.0/16 5', '192.0.2.0/24 6']],
  ['192.0.4.0/24', ['0.0.0.0/0 1', '192.0.0.0/16 4', '192.0.0.0/16 5']],
  ['192.0.0.0/15', ['0.0.0.0/0 1']],
  ['11.0.0.0/8', ['0.0.0.0/0 1']],
  ['0.0.0.0/0', ['0.0.0.0/0 1']],
  ['2001:db8::/32', ['2001:db8::/32 3']],
  ['2001:db8:0:0:1::/96', ['2001:db8::/32 3', '2001:db8:0:0:1::/80 9']],
  ['2001:db8:0:0:2::/80', ['2001:db8::/32 3']],
  ['2001:db9::/32', []],
  ['::/0', []],
])('%s is covered by %j', (prefix, expected) => {
  expect(shown(nested, prefix)).toEqual(expected);
});

test('an empty index covers nothing', () => {
  expect(shown(indexOfRoas(), '192.0.2.0/24')).toEqual([]);
});

test('places follow families, addresses and lengths, and have whole payloads', () => {
  const builder = roaIndexBuilder(4);
  for (const [roa, anchor] of [
    ['AS3 2001:db8::/32-48', 'ripe'],
    ['AS2 192.0.2.0/24-26', 'arin'],
    ['AS1 192.0.0.0/16', 'ripe'],
    ['AS2 192.0.2.0/24', undefined],
  ] as const)
    builder.add({ ...readPayload(entry(roa))!, anchor });
  const index = builder.build();
  expect(Array.from({ length: index.size }, (_, place) => index.at(place))).toEqual([
    { family: 4, address: Uint32Array.of(0xc0000000), length: 16, maxLength: 16, asn: 1, anchor: 'ripe' },
    { family: 4, address: Uint32Array.of(0xc0000200), length: 24, maxLength: 26, asn: 2, anchor: 'arin' },
    { family: 4, address: Uint32Array.of(0xc0000200), length: 24, maxLength: 24, asn: 2, anchor: undefined },
    { family: 6, address: Uint32Array.of(0x20010db8, 0, 0, 0), length: 32, maxLength: 48, asn: 3, anchor: 'ripe' },
  ]);
});

/** A generator of the same numbers in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Dense prefixes, so that many are equal, nested or neighbours. */
function crowded(next: (below: number) => number): Prefix {
  const family = next(2) === 0 ? 4 : 6;
  const bits = family === 4 ? 32 : 128;
  const length = next(9) + (family === 4 ? 0 : next(2) * 90);
  const first = (BigInt(next(256)) << BigInt(bits - 8)) | (family === 6 ? BigInt(next(4)) << 30n : 0n);
  return { family, first: (first >> BigInt(bits - length)) << BigInt(bits - length), length };
}

test('agrees with comparing every payload', () => {
  const next = numbers(7);
  const payloads = Array.from({ length: 600 }, (_, n): RoaPayload => {
    const prefix = crowded(next);
    return { ...prefix, text: `${n}`, maxLength: prefix.length, asn: n };
  });
  const builder = roaIndexBuilder(payloads.length);
  payloads.forEach(builder.add);
  const index = builder.build();
  const covers = (a: Prefix, b: Prefix) => {
    const hostBits = BigInt((b.family === 4 ? 32 : 128) - a.length);
    return a.family === b.family && a.length <= b.length && a.first >> hostBits === b.first >> hostBits;
  };
  for (let n = 0; n < 2000; n++) {
    const requested = crowded(next);
    const expected = payloads.filter((payload) => covers(payload, requested)).sort((a, b) => a.length - b.length);
    expect(index.covering(requested).map(({ asn }) => asn)).toEqual(expected.map(({ asn }) => asn));
    expect(index.placesCovering(requested).map((place) => index.at(place).asn)).toEqual(expected.map(({ asn }) => asn));
    const { from, to } = index.placesWithin(requested);
    const within = Array.from({ length: to - from }, (_, n) => index.at(from + n).asn);
    const inside = payloads.filter((payload) => covers(requested, payload));
    expect(within.toSorted((a, b) => a - b)).toEqual(inside.map(({ asn }) => asn));
  }
});
