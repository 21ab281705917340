import type { ObjectTypeName } from '@cadastre/rpsl';
import type { Range, TypeQuery } from '../index-port.js';
import { asAddress, digits } from './numbers.js';

/** A condition in OpenSearch's query language. */
export type Clause = Readonly<Record<string, unknown>>;

export type Order = readonly Readonly<Record<string, 'asc' | 'desc'>>[];

export const byKey: Order = [{ key: 'asc' }];

/** The larger range first; several at one range by origin. */
export const byAddress: Order = [{ first: 'asc' }, { last: 'desc' }, { origin: 'asc' }, { key: 'asc' }];

/** Of nested ranges the smallest first; several at one range by origin. */
export const bySize: Order = [{ first: 'desc' }, { last: 'asc' }, { origin: 'asc' }, { key: 'asc' }];

export function ofType(type: ObjectTypeName): Clause {
  return { term: { type } };
}

export function ofOrigin(origin: string): Clause {
  return { term: { origin } };
}

export function withTerms({ anyOf }: Extract<TypeQuery, { kind: 'terms' }>): Clause {
  if (anyOf.length === 0) return { match_none: {} };
  const alternatives = anyOf.map((all) => allOf(all.map((terms) => ({ term: { terms } }))));
  return { bool: { should: alternatives, minimum_should_match: 1 } };
}

export function withHost({ prefix }: Extract<TypeQuery, { kind: 'hosts' }>): Clause {
  return { prefix: { hosts: prefix } };
}

export function equalTo({ space, first, last }: Range): Clause {
  return allOf([{ term: { space } }, { term: { first: digits(first) } }, { term: { last: digits(last) } }]);
}

/** Ranges that hold all of this one, itself included. */
export function around(range: Range): Clause {
  return related(range, 'contains');
}

/** Ranges within this one, itself included. */
export function inside(range: Range): Clause {
  return related(range, 'within');
}

function related({ space, first, last }: Range, relation: 'contains' | 'within'): Clause {
  const span = { gte: asAddress(first), lte: asAddress(last), relation };
  return allOf([{ term: { space } }, { range: { span } }]);
}

/** Ranges that begin in this one. */
export function beginningIn({ first, last }: Omit<Range, 'space'>): Clause {
  return { range: { start: { gte: asAddress(first), lte: asAddress(last) } } };
}

export function not(clause: Clause): Clause {
  return { bool: { must_not: [clause] } };
}

/** All of these hold; nothing is scored. */
function allOf(clauses: readonly Clause[]): Clause {
  return { bool: { filter: clauses } };
}
