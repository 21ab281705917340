import type { KeywordRule } from './grammar.js';
import { choice, oneOrMore, optional, type Rule, separated, sequence, token } from './rules.js';

/** `afi` and a list of address families. */
export function afiClause(keyword: KeywordRule, options: { any: boolean }): Rule {
  return sequence(keyword('AFI'), separated(addressFamily(keyword, options), token(',')));
}

/** Address families, each followed by a comma: accepted instead of an export expression. */
export function danglingFamilies(keyword: KeywordRule): Rule {
  return oneOrMore(sequence(addressFamily(keyword, { any: true }), token(',')));
}

function addressFamily(keyword: KeywordRule, { any }: { any: boolean }): Rule {
  const families = [keyword('IPV4'), keyword('IPV6'), ...(any ? [keyword('ANY')] : [])];
  const cast = choice(keyword('UNICAST'), keyword('MULTICAST'));
  return sequence(choice(...families), optional(sequence(token('.'), cast)));
}
