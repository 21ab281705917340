import type { KeywordRule } from './grammar.js';
import { choice, deferred, many, oneOrMore, optional, type Rule, separated, sequence, token } from './rules.js';

/** A regular expression over AS numbers, without its angle brackets. */
export function asPath(keyword: KeywordRule): Rule {
  const as = choice(token('asn'), keyword('PEERAS'), token('as-set'), token('.'));
  const oneOf = sequence(token('['), optional(token('^')), many(choice(as, token('as-range'))), token(']'));
  const group = sequence(
    token('('),
    deferred(() => path),
    token(')'),
  );
  const factor = choice(token('^'), token('$'), group, as, oneOf);
  const path = separated(oneOrMore(sequence(factor, many(repetition))), token('|'));
  return path;
}

const repetition = choice(token('*'), token('?'), token('+'), token('~*'), token('~+'), token('repeat'));
