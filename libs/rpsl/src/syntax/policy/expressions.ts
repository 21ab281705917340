import type { Dialect } from './dialect.js';
import type { KeywordRule } from './grammar.js';
import { BROKEN, choice, deferred, type Rule, separated, sequence, token } from './rules.js';

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
