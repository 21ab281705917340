import type { Dialect } from './dialect.js';
import type { KeywordRule } from './grammar.js';
import { BROKEN, choice, deferred, many, oneOrMore, optional, type Rule, separated, sequence, token } from './rules.js';
import type { Protocol } from './token.js';

/** Operands joined by operators of two precedences, parentheses allowed. */
export function expression(operand: Rule, weak: Rule, strong: Rule): Rule {
  const factor = choice(
    sequence(
      token('('),
      deferred(() => whole),
      token(')'),
    ),
    operand,
  );
  const whole = separated(separated(factor, strong), weak);
  return whole;
}

export function asExpression(keyword: KeywordRule, dialect: Pick<Dialect, 'except'>): Rule {
  return expression(choice(token('asn'), token('as-set')), keyword('OR'), strongOperator(keyword, dialect));
}

export function routerExpression(keyword: KeywordRule, dialect: Pick<Dialect, 'except' | 'routers'>): Rule {
  const router = choice(...dialect.routers.map(token), dnsName, token('rtr-set'));
  return expression(router, keyword('OR'), strongOperator(keyword, dialect));
}

function strongOperator(keyword: KeywordRule, { except }: Pick<Dialect, 'except'>): Rule {
  return except ? choice(keyword('AND'), keyword('EXCEPT')) : keyword('AND');
}

const maxDnsNameLength = 255;
const labels = separated(token('label'), token('.'));

/** Labels joined by dots. */
export const dnsName: Rule = (tokens, at) => {
  const next = labels(tokens, at);
  if (next < 0) return next;
  let length = 0;
  for (let i = at; i < next; i++) length += tokens[i]!.text.length;
  return length > maxDnsNameLength ? BROKEN : next;
};

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

/**
 * A peering set, or ASes with the remote and the local routers. A parenthesis after the ASes always opens a router
 * expression.
 */
export function peering(keyword: KeywordRule, dialect: Dialect): Rule {
  const routers = routerExpression(keyword, dialect);
  return choice(
    token('peering-set'),
    sequence(asExpression(keyword, dialect), optional(routers), optional(sequence(keyword('AT'), routers))),
  );
}

export function anyProtocol(keyword: KeywordRule, protocols: readonly Protocol[]): Rule {
  return choice(...protocols.map(keyword));
}
