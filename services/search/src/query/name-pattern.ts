import { type Outcome, ok, queryMessages, refused } from '@cadastre/query';
import { asciiLowerCase } from '@cadastre/rpsl';
import type { NamePattern, NameQuery } from '../index-port.js';
import { foldName } from '../words/object-words.js';

const longestPattern = 200;
const shortestPrefix = 2;
const maxRuns = 2;

/** A pattern of names or keys in folded form; the bounds are those of `SearchNamesRequest`. */
export function readPattern(text: string, field: NameQuery['field']): Outcome<NamePattern> {
  if (text.length > longestPattern) return refused(queryMessages.tooLong(longestPattern));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
  const plain = text.replace(/[\s\x00-\x1f\x7f]+/g, ' ').trim();
  if (plain === '') return refused(queryMessages.emptyQuery());
  const folded = field === 'name' ? foldName(plain) : asciiLowerCase(plain);
  const prefix = /^[^*?]*/.exec(folded)![0];
  if (prefix !== folded && prefix.length < shortestPrefix) return refused(queryMessages.shortPattern(shortestPrefix));
  if (folded.split('*').length - 1 > maxRuns) return refused(queryMessages.tooManyWildcards(maxRuns));
  return ok({ prefix, text: folded });
}
