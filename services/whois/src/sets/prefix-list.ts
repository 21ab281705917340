import { compareWords } from '@cadastre/rpsl';
import type { Pause } from '../turns.js';

/** Address family. */
export type Family = 4 | 6;

/** Number of 32-bit words of an address. */
const addressWords = { 4: 1, 6: 4 } as const;

/** Number of words of a prefix in a list: its address, then its length. */
export function wordsEach(family: Family): number {
  return addressWords[family] + 1;
}

/** Fewer words are copied one by one: making a view of them takes longer. */
const fewWords = 100;

/**
 * Different prefixes in the order of their addresses, shorter ones first: 8 bytes for one of IPv4, 20 for one of IPv6.
 * A class, because a registry has a hundred thousand of them.
 */
export class PrefixList {
  #words = new Uint32Array(0);
  #size = 0;

  constructor(readonly family: Family) {}

  /** The list of these words, which must be sorted and different. It shares them, so nobody may change it. */
  static of(family: Family, words: Uint32Array<ArrayBuffer>): PrefixList {
    const list = new PrefixList(family);
    list.#words = words;
    list.#size = words.length / wordsEach(family);
    return list;
  }

  /** Number of prefixes. */
  get size(): number {
    return this.#size;
  }

  /** The words of all prefixes, one after the other. Later changes may show in it. */
  get words(): Uint32Array {
    return this.#words.subarray(0, this.#size * wordsEach(this.family));
  }

  /** Copies the words of all prefixes to a position in other words; returns the position after them. */
  copyTo(target: Uint32Array, at: number): number {
    const length = this.#size * wordsEach(this.family);
    if (length > fewWords) target.set(this.words, at);
    else for (let n = 0; n < length; n++) target[at + n] = this.#words[n]!;
    return at + length;
  }

  has(prefix: Uint32Array): boolean {
    return this.#find(prefix).isThere;
  }

  /** Adds a prefix; false when it is there already. */
  add(prefix: Uint32Array): boolean {
    const each = wordsEach(this.family);
    const { at, isThere } = this.#find(prefix);
    if (isThere) return false;
    if ((this.#size + 1) * each > this.#words.length) this.#grow(each);
    this.#words.copyWithin((at + 1) * each, at * each, this.#size * each);
    this.#words.set(prefix, at * each);
    this.#size++;
    return true;
  }

  /** Removes a prefix; false when it is not there. */
  remove(prefix: Uint32Array): boolean {
    const each = wordsEach(this.family);
    const { at, isThere } = this.#find(prefix);
    if (!isThere) return false;
    this.#words.copyWithin(at * each, (at + 1) * each, this.#size * each);
    this.#size--;
    return true;
  }

  /** Grows by half, because a list gets one prefix after the other. */
  #grow(each: number): void {
    const words = new Uint32Array((this.#size + 1 + (this.#size >> 1)) * each);
    words.set(this.words);
    this.#words = words;
  }

  /** The position of a prefix, or where it belongs. */
  #find(prefix: Uint32Array): { at: number; isThere: boolean } {
    const each = wordsEach(this.family);
    let low = 0;
    let high = this.#size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const difference = compareWords(this.#words, middle * each, prefix, 0, each);
      if (difference === 0) return { at: middle, isThere: true };
      if (difference < 0) low = middle + 1;
      else high = middle;
    }
    return { at: low, isThere: false };
  }
}

/** Digits of the sort: their counts fit into the fastest cache. A word has three. */
const digitBits = 11;
const digits = 1 << digitBits;
const digitsOfWord = 3;

/** Fewer prefixes are sorted by comparison, which needs no counts. */
const fewPrefixes = 2_000;

/**
 * All prefixes of some lists of a family, sorted, each once; few of them without a promise. Reads the lists before the
 * first pause.
 */
export function mergeLists(
  lists: readonly PrefixList[],
  family: Family,
  pause: Pause,
): Uint32Array | Promise<Uint32Array> {
  const each = wordsEach(family);
  const all = new Uint32Array(lists.reduce((sum, { size }) => sum + size, 0) * each);
  let at = 0;
  for (const list of lists) at = list.copyTo(all, at);
  if (lists.length <= 1) return all;
  if (all.length >= fewPrefixes * each) return sortMany(all, each, pause);
  const sorted = sortFew(all, each);
  return sorted.subarray(0, dropRepeated(sorted, each, 0, 0, sorted.length));
}

/** Prefixes of a step: a fraction of a millisecond. */
const stepPrefixes = 50_000;

/** Handles prefixes in steps; `step` gets the positions of the first one and of the one after the last. */
export async function inSteps(
  words: Uint32Array,
  each: number,
  pause: Pause,
  step: (from: number, to: number) => void,
): Promise<void> {
  for (let from = 0; from < words.length; from += stepPrefixes * each) {
    step(from, Math.min(words.length, from + stepPrefixes * each));
    await pause();
  }
}

function sortFew(words: Uint32Array, each: number): Uint32Array {
  const positions = Array.from({ length: words.length / each }, (_, n) => n * each);
  positions.sort((a, b) => compareWords(words, a, words, b, each));
  const sorted = new Uint32Array(words.length);
  for (const [n, from] of positions.entries()) sorted.set(words.subarray(from, from + each), n * each);
  return sorted;
}

/** Sorts by digits, the least significant one first: the time for each prefix does not depend on their number. */
async function sortMany(words: Uint32Array, each: number, pause: Pause): Promise<Uint32Array> {
  const counts = new Uint32Array(digitsOfWord * digits);
  let [from, to]: [Uint32Array, Uint32Array] = [words, new Uint32Array(words.length)];
  for (let word = each - 1; word >= 0; word--) {
    counts.fill(0);
    await inSteps(from, each, pause, (first, end) => countDigits(from, each, word, counts, first, end));
    for (let digit = 0; digit < digitsOfWord; digit++) {
      const shift = digit * digitBits;
      const positions = counts.subarray(digit * digits, (digit + 1) * digits);
      // All have the same digit.
      if (positions[digitAt(from, word, shift)] === from.length / each) continue;
      countsToPositions(positions);
      await inSteps(from, each, pause, (first, end) => moveByDigit(from, to, each, word, shift, positions, first, end));
      [from, to] = [to, from];
    }
  }
  let end = 0;
  await inSteps(from, each, pause, (first, last) => {
    end = dropRepeated(from, each, end, first, last);
  });
  return from.subarray(0, end);
}

function digitAt(words: Uint32Array, at: number, shift: number): number {
  return (words[at]! >>> shift) & (digits - 1);
}

/** Counts the prefixes with each digit of a word, all its digits in one pass. */
function countDigits(
  words: Uint32Array,
  each: number,
  word: number,
  counts: Uint32Array,
  first: number,
  end: number,
): void {
  for (let at = first + word; at < end; at += each) {
    const value = words[at]!;
    counts[value & (digits - 1)]!++;
    counts[digits + ((value >>> digitBits) & (digits - 1))]!++;
    counts[2 * digits + (value >>> (2 * digitBits))]!++;
  }
}

/** Converts the number of prefixes with each digit into the position of the first one. */
function countsToPositions(counts: Uint32Array): void {
  let position = 0;
  for (let digit = 0; digit < digits; digit++) {
    const count = counts[digit]!;
    counts[digit] = position;
    position += count;
  }
}

function moveByDigit(
  from: Uint32Array,
  to: Uint32Array,
  each: number,
  word: number,
  shift: number,
  positions: Uint32Array,
  first: number,
  end: number,
): void {
  // Without a loop for the words of a prefix: half the time for IPv4.
  if (each === 2) {
    for (let at = first; at < end; at += 2) {
      const target = positions[digitAt(from, at + word, shift)]!++ * 2;
      to[target] = from[at]!;
      to[target + 1] = from[at + 1]!;
    }
    return;
  }
  for (let at = first; at < end; at += each) {
    let target = positions[digitAt(from, at + word, shift)]!++ * each;
    for (let n = 0; n < each; n++) to[target++] = from[at + n]!;
  }
}

/** Removes duplicates of neighbours, in place, after the first `end` words; returns the new end. */
function dropRepeated(words: Uint32Array, each: number, end: number, first: number, last: number): number {
  let filled = end;
  if (each === 2) {
    for (let at = first; at < last; at += 2) {
      const address = words[at]!;
      const length = words[at + 1]!;
      if (filled > 0 && words[filled - 2] === address && words[filled - 1] === length) continue;
      words[filled] = address;
      words[filled + 1] = length;
      filled += 2;
    }
    return filled;
  }
  for (let at = first; at < last; at += each) {
    if (filled > 0 && compareWords(words, filled - each, words, at, each) === 0) continue;
    for (let n = 0; n < each; n++) words[filled++] = words[at + n]!;
  }
  return filled;
}
