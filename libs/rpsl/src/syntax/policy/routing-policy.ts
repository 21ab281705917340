import { optionalAction } from './action.js';
import type { Dialect } from './dialect.js';
import { afiClause, anyProtocol, danglingFamilies, peering } from './expressions.js';
import { filter } from './filter.js';
import type { KeywordRule } from './grammar.js';
import { choice, many, oneOrMore, optional, type Rule, sequence, token } from './rules.js';
import { ipv4Protocols, type Keyword, multiProtocols, type Protocol } from './token.js';

/** The words that differ between import and export policy. */
export interface Direction {
  /** Word before a peering. */
  readonly peer: 'FROM' | 'TO';
  /** Word before the filter. */
  readonly filter: 'ACCEPT' | 'ANNOUNCE';
}

export const inward: Direction = { peer: 'FROM', filter: 'ACCEPT' };
export const outward: Direction = { peer: 'TO', filter: 'ANNOUNCE' };

/** One or more peerings with actions, then the filter that applies to all of them. */
export function factor(keyword: KeywordRule, direction: Direction, dialect: Dialect): Rule {
  const clause = sequence(keyword(direction.peer), peering(keyword, dialect), optionalAction(keyword, dialect));
  return sequence(oneOrMore(clause), keyword(direction.filter), filter(keyword, dialect));
}

/** A factor whose peerings each follow the intermediate peering, then the filter that applies to all of them. */
export function viaFactor(keyword: KeywordRule, direction: Direction, dialect: Dialect): Rule {
  const via = peering(keyword, dialect);
  const clause = sequence(via, keyword(direction.peer), peering(keyword, dialect), optionalAction(keyword, dialect));
  return sequence(oneOrMore(clause), keyword(direction.filter), filter(keyword, dialect));
}

/** Policy of one protocol: a factor, or terms joined by the given operators. */
export function ipv4Policy(keyword: KeywordRule, single: Rule, operators: readonly Keyword[]): Rule {
  const further = many(sequence(choice(...operators.map(keyword)), term(single)));
  return sequence(
    protocols(keyword, ipv4Protocols),
    choice(sequence(termInBraces(single), further), sequence(single, optional(sequence(token(';'), further)))),
  );
}

/** Policy of several protocols (`ipv4Policy` has one): every term or the single factor may name address families. */
export function multiProtocolPolicy(keyword: KeywordRule, single: Rule, options: { danglingFamilies: boolean }): Rule {
  const afi = optional(afiClause(keyword, { any: true }));
  const dangling = options.danglingFamilies ? [danglingFamilies(keyword)] : [];
  const operator = choice(keyword('REFINE'), keyword('EXCEPT'));
  const further = many(sequence(operator, choice(...dangling, sequence(afi, term(single)))));
  const scoped = sequence(
    afi,
    choice(sequence(termInBraces(single), further), sequence(single, optional(sequence(token(';'), further)))),
  );
  return sequence(protocols(keyword, multiProtocols), choice(...dangling, scoped));
}

/** The default route policy. */
export function defaultPolicy(keyword: KeywordRule, dialect: Dialect): Rule {
  return sequence(
    keyword('TO'),
    peering(keyword, dialect),
    optionalAction(keyword, dialect),
    optional(sequence(keyword('NETWORKS'), filter(keyword, dialect))),
  );
}

function protocols(keyword: KeywordRule, names: readonly Protocol[]): Rule {
  const protocol = anyProtocol(keyword, names);
  return sequence(optional(sequence(keyword('PROTOCOL'), protocol)), optional(sequence(keyword('INTO'), protocol)));
}

function term(single: Rule): Rule {
  return choice(termInBraces(single), sequence(single, token(';')));
}

function termInBraces(single: Rule): Rule {
  return sequence(token('{'), oneOrMore(sequence(single, token(';'))), token('}'));
}
