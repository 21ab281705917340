import type { Dialect } from './dialect.js';
import { asExpression, routerExpression } from './expressions.js';
import type { KeywordRule } from './grammar.js';
import { choice, optional, type Rule, sequence, token } from './rules.js';

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
