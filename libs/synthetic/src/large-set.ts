import { below, randomOf, skewed, streamOf } from './random.js';

/** The size of a set, and its references. */
export interface LargeSetOptions {
  readonly asNumbers: number;
  /** Different IPv4 prefixes of all its AS numbers together: at most 14,000,000. */
  readonly prefixes: number;
  readonly seed: number;
  readonly source: string;
  /** The mntner of all objects. */
  readonly maintainer: string;
  /** The `admin-c` and `tech-c` of all sets. */
  readonly contact: string;
}

/** The name of the set. */
export const largeSetName = 'AS-SYNTHETIC';

/** Where prefixes of 24 bits begin: 1.0.0.0. There are 14,000,000 below 214.160.0.0. */
const firstBlock = 0x01_00_00;
const maxPrefixes = 14_000_000;
const firstNumber = 1_000;
const asNumbersOfSet = 10;
const setsOfLine = 50;

/**
 * An as-set of other as-sets, each with ten AS numbers, and the routes of these; few AS numbers have most of the
 * routes. For programs that make filters. The same options give the same texts, each with its final newline, in
 * constant memory.
 */
export function* generateLargeSet(options: LargeSetOptions): Generator<string> {
  const { asNumbers, prefixes, seed } = options;
  if (!(prefixes <= maxPrefixes)) throw new RangeError(`A set has at most ${maxPrefixes} prefixes, not ${prefixes}`);
  const object = (lines: readonly (readonly [string, string])[]) =>
    [...lines, ['mnt-by', options.maintainer] as const, ['source', options.source] as const]
      .map(([name, value]) => `${`${name}:`.padEnd(16)}${value}\n`)
      .join('');
  const set = (name: string, members: readonly string[]) =>
    object([
      ['as-set', name],
      ...members.map((line) => ['members', line] as const),
      ['tech-c', options.contact],
      ['admin-c', options.contact],
    ]);
  const distance = Math.floor(maxPrefixes / prefixes);
  for (let index = 0; index < prefixes; index += 1) {
    const random = randomOf(seed, streamOf(largeSetName), index);
    const block = firstBlock + index * distance + below(random, distance);
    const prefix = `${block >> 16}.${(block >> 8) & 255}.${block & 255}.0/24`;
    const origin = `AS${firstNumber + skewed(random, asNumbers)}`;
    yield object([
      ['route', prefix],
      ['origin', origin],
    ]);
  }
  const sets = Math.ceil(asNumbers / asNumbersOfSet);
  for (let number = 0; number < sets; number += 1) {
    const first = number * asNumbersOfSet;
    const members = count(Math.min(asNumbersOfSet, asNumbers - first), (n) => `AS${firstNumber + first + n}`);
    yield set(nameOf(number), [members.join(', ')]);
  }
  const lines = count(Math.ceil(sets / setsOfLine), (line) =>
    count(Math.min(setsOfLine, sets - line * setsOfLine), (n) => nameOf(line * setsOfLine + n)).join(', '),
  );
  yield set(largeSetName, lines);
}

function nameOf(set: number): string {
  return `${largeSetName}-${set}`;
}

function count(length: number, make: (index: number) => string): string[] {
  return Array.from({ length }, (_, index) => make(index));
}
