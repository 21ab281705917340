import { compareWords } from '@cadastre/rpsl';
import type { Pause } from '../turns.js';
import { type Family, inSteps, wordsEach } from './prefix-list.js';

/**
 * Joins sorted prefixes, in place, into the fewest that have the same addresses: drops those that others cover, and
 * joins two halves into one.
 */
export async function aggregated(words: Uint32Array, family: Family, pause: Pause): Promise<Uint32Array> {
  const each = wordsEach(family);
  let end = 0;
  await inSteps(words, each, pause, (first, last) => {
    for (let at = first; at < last; at += each) {
      if (end > 0 && covers(words, end - each, words, at, each)) continue;
      words.copyWithin(end, at, at + each);
      end += each;
      while (end > each && areHalves(words, end - 2 * each, end - each, each)) {
        end -= each;
        words[end - 1]!--;
      }
    }
  });
  return words.subarray(0, end);
}

/** Whether a prefix shares addresses with one of the prefixes that `aggregated` returned. */
export function overlaps(words: Uint32Array, prefix: Uint32Array, family: Family): boolean {
  const each = wordsEach(family);
  let low = 0;
  let high = words.length / each;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareWords(words, middle * each, prefix, 0, each) <= 0) low = middle + 1;
    else high = middle;
  }
  const next = low * each;
  const isInside = next > 0 && covers(words, next - each, prefix, 0, each);
  return isInside || (next < words.length && covers(prefix, 0, words, next, each));
}

/** Whether the prefix at one position covers the one at another. */
function covers(outerWords: Uint32Array, outer: number, innerWords: Uint32Array, inner: number, each: number): boolean {
  const length = outerWords[outer + each - 1]!;
  if (length > innerWords[inner + each - 1]!) return false;
  for (let n = 0; n < each - 1; n++) {
    const bits = Math.min(32, length - 32 * n);
    if (bits <= 0) return true;
    if ((outerWords[outer + n]! ^ innerWords[inner + n]!) >>> (32 - bits) !== 0) return false;
  }
  return true;
}

/** Whether two different prefixes are the halves of one. */
function areHalves(words: Uint32Array, low: number, high: number, each: number): boolean {
  const length = words[low + each - 1]!;
  if (length !== words[high + each - 1]!) return false;
  for (let n = 0; n < each - 1; n++) {
    const bits = length - 1 - 32 * n;
    const bit = bits >= 0 && bits < 32 ? (0x8000_0000 >>> bits) >>> 0 : 0;
    if ((words[low + n]! ^ words[high + n]!) >>> 0 !== bit) return false;
  }
  return length > 0;
}
