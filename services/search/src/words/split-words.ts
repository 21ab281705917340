/** Longer words are truncated. */
const longestWord = 64;

/** Letters that have no form without an accent. */
const spelled: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', ø: 'o', ð: 'd', þ: 'th' };

const ascii = /^[\0-\x7f]*$/;

/** The text in lower case and without accents, so that people find it with any keyboard. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (ascii.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæøðþ]/g, (letter) => spelled[letter]!);
}

/**
 * The words of a text, folded, in their order, possibly with duplicates. Any character but letters and digits separates
 * words, as in `EXAMPLE-NET_1`; a single character is not a word.
 */
export function splitWords(text: string): string[] {
  const words = foldText(text).match(/[a-z0-9]{2,}/g) ?? [];
  return words.map((word) => word.slice(0, longestWord));
}
