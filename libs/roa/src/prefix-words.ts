import type { Prefix } from './payload.js';

/**
 * A prefix as 32-bit words: the family, then the address from its first bit on. Numbers compare several times faster
 * than bigints, and one typed array holds hundreds of thousands of them.
 */
export const wordsEach = 5;

/** Writes the words of a prefix into an array. */
export function putWords({ family, first }: Prefix, words: Uint32Array, at: number): void {
  words[at] = family;
  if (family === 4) {
    words[at + 1] = Number(first);
    return;
  }
  for (let n = 0; n < 4; n++) {
    words[at + 1 + n] = Number((first >> BigInt(96 - 32 * n)) & 0xffff_ffffn);
  }
}

/** Whether two prefixes have the same family and first bits. */
export function shareBits(bits: number, a: Uint32Array, atA: number, b: Uint32Array, atB: number): boolean {
  if (a[atA] !== b[atB]) return false;
  for (let n = 1, left = bits; left > 0; n++, left -= 32) {
    const different = (a[atA + n]! ^ b[atB + n]!) >>> 0;
    if (left >= 32 ? different !== 0 : different >>> (32 - left) !== 0) return false;
  }
  return true;
}
