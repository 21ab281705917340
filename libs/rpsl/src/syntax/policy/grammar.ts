import { tokenize } from './lexer.js';
import { type Rule, token } from './rules.js';
import type { Keyword } from './token.js';

/** Makes the rule for a keyword and reserves the word in the grammar under construction. */
export type KeywordRule = (word: Keyword) => Rule;

/** A checker for one attribute. It reserves the words that its productions use; other words may be DNS labels. */
export function grammar(build: (keyword: KeywordRule) => Rule, routerSets = false): (value: string) => boolean {
  const keywords = new Set<Keyword>();
  const rule = build((word) => {
    keywords.add(word);
    return token(word);
  });
  const vocabulary = { keywords, routerSets };
  return (value) => {
    const tokens = tokenize(value, vocabulary);
    return tokens !== undefined && rule(tokens, 0) === tokens.length;
  };
}
