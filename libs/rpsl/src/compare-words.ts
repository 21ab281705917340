/** Orders two rows of words, such as prefixes: below, above or equal to zero. A row begins at its position. */
export function compareWords(a: Uint32Array, atA: number, b: Uint32Array, atB: number, words: number): number {
  for (let n = 0; n < words; n++) {
    const difference = a[atA + n]! - b[atB + n]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
