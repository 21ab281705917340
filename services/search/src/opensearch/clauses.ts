import type { Range } from '@cadastre/query';
import type { ObjectTypeName } from '@cadastre/rpsl';
import type { InverseQuery, TypeQuery } from '../index-port.js';

/** A condition in OpenSearch's query language. */
export type Clause = Readonly<Record<string, unknown>>;

export type Order = readonly Readonly<Record<string, 'asc' | 'desc'>>[];

export const byKey: Order = [{ key: 'asc' }];

/** Larger ranges first; several with the same range by origin. */
export const byAddress: Order = [{ first: 'asc' }, { last: 'desc' }, { origin: 'asc' }, { key: 'asc' }];

/** The smallest of nested ranges first; several with the same range by origin. */
export const bySize: Order = [{ first: 'desc' }, { last: 'asc' }, { origin: 'asc' }, { key: 'asc' }];

export function ofType(type: ObjectTypeName): Clause {
  return { term: { type } };
}

export function ofOrigin(origin: string): Clause {
  return { term: { origin } };
}

/** Objects of the type with any of the lists of terms, or with a host. */
export function ofTypeWithTerms({ type, anyOf: lists, hosts }: Extract<TypeQuery, { kind: 'terms' }>): Clause {
  const alternatives = lists.map((all) => allOf(all.map((terms) => ({ term: { terms } }))));
  if (hosts !== undefined) alternatives.push(withHost(hosts));
  return allOf([ofType(type), anyOf(alternatives)]);
}

/** What an inverse query finds. */
export function matching(query: InverseQuery): Clause {
  return query.kind === 'terms' ? ofTypeWithTerms(query) : allOf([ofType(query.type), withHost(query.prefix)]);
}

/** Requires one of these; an empty list matches nothing. */
export function anyOf(clauses: readonly Clause[]): Clause {
  return clauses.length === 0 ? { match_none: {} } : { bool: { should: clauses, minimum_should_match: 1 } };
}

export function withHost(prefix: string): Clause {
  return { prefix: { hosts: prefix } };
}

/** Objects with a value of this attribute. */
export function withAttribute(name: string): Clause {
  return { prefix: { terms: `${name}=` } };
}

export function equalTo({ space, first, last }: Range): Clause {
  return allOf([{ term: { space } }, { term: { first: digits(first) } }, { term: { last: digits(last) } }]);
}

/** Ranges that contain this one, or equal it. */
export function around(range: Range): Clause {
  return related(range, 'contains');
}

/** Ranges within this one, or equal to it. */
export function inside(range: Range): Clause {
  return related(range, 'within');
}

function related({ space, first, last }: Range, relation: 'contains' | 'within'): Clause {
  const span = { gte: asAddress(first), lte: asAddress(last), relation };
  return allOf([{ term: { space } }, { range: { span } }]);
}

/** Ranges that start in this one. */
export function beginningIn({ first, last }: Omit<Range, 'space'>): Clause {
  return { range: { start: { gte: asAddress(first), lte: asAddress(last) } } };
}

/** Ranges that start at this number or after it. */
export function beginningFrom(first: bigint): Clause {
  return { range: { start: { gte: asAddress(first) } } };
}

/** Objects from a position on in an order; may also match some before it. */
export function startingAt({ from, ...query }: TypeQuery): Clause[] {
  if (from === undefined) return [];
  const isByKey = query.kind === 'hosts' || (query.kind === 'terms' && query.order === 'key');
  if (isByKey) return [{ range: { key: { gte: from.key } } }];
  return from.range ? [beginningFrom(from.range.first)] : [];
}

export function not(clause: Clause): Clause {
  return { bool: { must_not: [clause] } };
}

/** Requires all of these; nothing is scored. */
function allOf(clauses: readonly Clause[]): Clause {
  return { bool: { filter: clauses } };
}

/** Numbers of any space as 32 hexadecimal digits, which sort like the numbers. */
export function digits(number: bigint): string {
  return number.toString(16).padStart(32, '0');
}

export function fromDigits(text: string): bigint {
  return BigInt(`0x${text}`);
}

/** Numbers of any space in IPv6 notation, the only one in range fields. Spaces do not mix. */
export function asAddress(number: bigint): string {
  return digits(number).match(/.{4}/g)!.join(':');
}
