const limit = 100;
const byKey = [{ key: 'asc' }];
const byAddress = [{ first: 'asc' }, { last: 'desc' }, { origin: 'asc' }, { key: 'asc' }];
const bySize = [{ first: 'desc' }, { last: 'asc' }, { origin: 'asc' }, { key: 'asc' }];

/** A range of IPv4 addresses, as decimal numbers. */
export interface Span {
  readonly first: string;
  readonly last: string;
}

// The adapter's search for the first page of a result.

export function exactBody(of: Span): object {
  return search('inetnum', [equalTo(of)], byAddress);
}

export function nearestBody(of: Span): object {
  return search('inetnum', [related(of, 'contains')], bySize, 2);
}

export function enclosingBody(of: Span): object {
  return search('inetnum', [related(of, 'contains')], byAddress);
}

export function insideBody(of: Span): object {
  return search('inetnum', [related(of, 'within'), { bool: { must_not: [equalTo(of)] } }], byAddress);
}

/**
 * Objects with all terms of one of the lists. PostgreSQL's terms begin with the type ("in:mnt-by=..."), these do not.
 */
export function termsBody(type: 'inetnum' | 'person', anyOf: readonly (readonly string[])[]): object {
  const should = anyOf.map((all) => ({
    bool: { filter: all.map((term) => ({ term: { terms: term.slice(term.indexOf(':') + 1) } })) },
  }));
  return search(type, [{ bool: { should, minimum_should_match: 1 } }], type === 'inetnum' ? byAddress : byKey);
}

function search(type: string, filter: readonly object[], sort: readonly object[], size = limit): object {
  const query = { bool: { filter: [{ term: { type } }, ...filter] } };
  return { size, query, sort, track_total_hits: false, _source: ['type', 'key', 'object'] };
}

function equalTo({ first, last }: Span): object {
  const ends = [{ term: { first: digits(first) } }, { term: { last: digits(last) } }];
  return { bool: { filter: [{ term: { space: 'ipv4' } }, ...ends] } };
}

function related({ first, last }: Span, relation: 'contains' | 'within'): object {
  const span = { gte: asAddress(first), lte: asAddress(last), relation };
  return { bool: { filter: [{ term: { space: 'ipv4' } }, { range: { span } }] } };
}

/** The PostgreSQL index has one number line for all spaces; the lowest 132 bits are the address. */
function digits(number: string): string {
  return BigInt.asUintN(132, BigInt(number)).toString(16).padStart(32, '0');
}

function asAddress(number: string): string {
  return digits(number).match(/.{4}/g)!.join(':');
}
