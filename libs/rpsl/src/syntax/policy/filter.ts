import { routeAttribute } from './action.js';
import type { Dialect } from './dialect.js';
import { asPath } from './expressions.js';
import type { KeywordRule } from './grammar.js';
import { choice, deferred, many, optional, type Rule, separated, sequence, token } from './rules.js';

type FilterDialect = Pick<Dialect, 'prefixes' | 'nextHops' | 'integers'>;

/** Terms joined by OR; two terms side by side mean OR too. */
export function filter(keyword: KeywordRule, dialect: FilterDialect): Rule {
  const factor = sequence(
    many(keyword('NOT')),
    choice(
      sequence(
        token('('),
        deferred(() => whole),
        token(')'),
      ),
      keyword('ANY'),
      sequence(token('<'), asPath(keyword), token('>')),
      routeAttribute(keyword, dialect),
      token('filter-set'),
      sequence(prefixOperand(keyword, dialect), optional(token('range-operator'))),
    ),
  );
  const term = separated(factor, keyword('AND'));
  const whole = sequence(term, many(choice(sequence(keyword('OR'), term), term)));
  return whole;
}

function prefixOperand(keyword: KeywordRule, dialect: FilterDialect): Rule {
  return choice(token('asn'), keyword('PEERAS'), token('as-set'), token('route-set'), prefixList(dialect));
}

/** Prefixes in braces, each with or without a range operator; may be empty. */
export function prefixList({ prefixes }: Pick<Dialect, 'prefixes'>): Rule {
  const prefix = choice(...prefixes.map(token));
  return sequence(token('{'), optional(separated(prefix, token(','))), token('}'));
}
