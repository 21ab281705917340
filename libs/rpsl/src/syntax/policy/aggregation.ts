import { optionalAction } from './action.js';
import type { Dialect } from './dialect.js';
import { anyProtocol, asExpression, expression, routerExpression } from './expressions.js';
import { filter, prefixList } from './filter.js';
import type { KeywordRule } from './grammar.js';
import { choice, many, optional, type Rule, sequence } from './rules.js';
import type { Protocol } from './token.js';

/** Component routes of an aggregate; may be empty. */
export function components(keyword: KeywordRule, dialect: Dialect, protocols: readonly Protocol[]): Rule {
  const routes = filter(keyword, dialect);
  return sequence(
    optional(keyword('ATOMIC')),
    optional(routes),
    many(sequence(keyword('PROTOCOL'), anyProtocol(keyword, protocols), routes)),
  );
}

/** Where and under which condition to inject an aggregate; may be empty. */
export function inject(keyword: KeywordRule, dialect: Dialect): Rule {
  const prefixes = prefixList(dialect);
  const condition = choice(
    keyword('STATIC'),
    sequence(choice(keyword('HAVE-COMPONENTS'), keyword('EXCLUDE')), prefixes),
  );
  return sequence(
    optional(sequence(keyword('AT'), routerExpression(keyword, dialect))),
    optionalAction(keyword, dialect),
    optional(sequence(keyword('UPON'), expression(condition, keyword('OR'), keyword('AND')))),
  );
}

/** Inbound, or outbound to all or some ASes. */
export function aggregationMethod(keyword: KeywordRule): Rule {
  return choice(keyword('INBOUND'), sequence(keyword('OUTBOUND'), optional(asExpression(keyword, { except: true }))));
}
