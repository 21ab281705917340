import { type Resource, type RpslObject, rangeOf } from '@cadastre/rpsl';

/** A range as PostgreSQL stores it: lower bound included, upper bound excluded. */
export interface Span {
  readonly column: 'span' | 'span6';
  readonly lower: bigint;
  readonly upper: bigint;
}

/** AS numbers share a column with IPv4 addresses, above these. */
const asOffset = 2n ** 32n;

export function spanOfResource(resource: Resource): Span {
  if ('as' in resource) {
    const { first, last } = resource.as;
    return { column: 'span', lower: asOffset + BigInt(first), upper: asOffset + BigInt(last) + 1n };
  }
  const { family, first, last } = resource;
  return { column: family === 4 ? 'span' : 'span6', lower: first, upper: last + 1n };
}

/** The span of an object, if its type has numbers. */
export function spanOfObject(object: RpslObject): Span | undefined {
  const resource = rangeOf(object);
  return resource && spanOfResource(resource);
}

/** The span as a range literal. */
export function rangeLiteral(span: Pick<Span, 'lower' | 'upper'>): string {
  return `[${span.lower},${span.upper})`;
}
