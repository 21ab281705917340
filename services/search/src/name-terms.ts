const maxWordLength = 64;

/** Maximum words of a name of which each two together are a term, too. */
const maxPaired = 8;

/** The term of names with more words. */
const manyWords = 'words=';

/**
 * The terms of a name in lower case: each word, and each two words. Words alone may be in many names, so that a search
 * for all of them would read many rows for few results.
 */
export function nameTerms(name: string): string[] {
  const words = sortedWords(name.split(' ').map((word) => word.slice(0, maxWordLength)));
  const each = words.map(single);
  if (words.length > maxPaired) return [...each, manyWords];
  return [...each, ...words.flatMap((one, at) => words.slice(at + 1).map((other) => pair(one, other)))];
}

/** The alternatives of terms that the names with all words of a text in lower case have. */
export function termsOfNamesWith(text: string): string[][] {
  const words = sortedWords(text.split(' '));
  const each = words.map(single);
  if (words.length === 1) return [each];
  const inPairs = words.flatMap((word, at) => {
    if (at % 2 === 1) return [];
    const next = words[at + 1];
    return next === undefined ? single(word) : pair(word, next);
  });
  return [inPairs, [manyWords, ...each]];
}

function sortedWords(words: readonly string[]): string[] {
  return [...new Set(words)].sort();
}

const single = (word: string) => `word=${word}`;
const pair = (one: string, other: string) => `words=${one} ${other}`;
