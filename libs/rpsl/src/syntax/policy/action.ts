import type { Dialect } from './dialect.js';
import type { KeywordRule } from './grammar.js';
import { choice, oneOrMore, optional, type Rule, separated, sequence, token, tokenWhere } from './rules.js';

type ActionDialect = Pick<Dialect, 'nextHops' | 'integers'>;

/** Attribute settings, each ended by a semicolon. */
function action(keyword: KeywordRule, dialect: ActionDialect): Rule {
  return oneOrMore(sequence(routeAttribute(keyword, dialect), token(';')));
}

export function optionalAction(keyword: KeywordRule, dialect: ActionDialect): Rule {
  return optional(sequence(keyword('ACTION'), action(keyword, dialect)));
}

/** One setting or test of a route attribute such as `pref=10` or `community(64500:20)`. */
export function routeAttribute(keyword: KeywordRule, dialect: ActionDialect): Rule {
  const number = dialect.integers ? [integerUpTo(0xffff)] : [];
  const setting = (name: Rule, ...values: Rule[]) => sequence(name, token('='), choice(...values));
  return choice(
    setting(keyword('PREF'), ...number),
    setting(keyword('MED'), keyword('IGP_COST'), ...number),
    setting(keyword('DPA'), ...number),
    setting(keyword('COST'), ...number),
    setting(keyword('NEXT_HOP'), keyword('SELF'), ...dialect.nextHops.map(token)),
    prepend(keyword),
    community(keyword, dialect),
  );
}

function prepend(keyword: KeywordRule): Rule {
  const asns = separated(token('asn'), token(','));
  return sequence(keyword('ASPATH'), token('.'), keyword('PREPEND'), token('('), asns, token(')'));
}

function community(keyword: KeywordRule, { integers }: ActionDialect): Rule {
  const words = [keyword('INTERNET'), keyword('NO_EXPORT'), keyword('NO_ADVERTISE')];
  const element = choice(...words, ...(integers ? [integerUpTo(0xffff_ffff)] : []), token('community-number'));
  const elements = separated(element, token(','));
  const operator = choice(token('='), token('.='), token('=='));
  const method = sequence(token('.'), choice(keyword('APPEND'), keyword('DELETE'), keyword('CONTAINS')));
  return sequence(
    keyword('COMMUNITY'),
    choice(
      sequence(operator, token('{'), elements, token('}')),
      sequence(optional(method), token('('), elements, token(')')),
    ),
  );
}

export function integerUpTo(max: number): Rule {
  return tokenWhere('integer', (text) => Number(text) <= max);
}
