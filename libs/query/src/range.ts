import type { AddressRange } from '@cadastre/rpsl';

/** The number spaces of objects. */
export type Space = 'ipv4' | 'ipv6' | 'as';

/** A range in a number space; includes both ends. Ends need not form a prefix. */
export interface Range {
  readonly space: Space;
  readonly first: bigint;
  readonly last: bigint;
}

/** A range of addresses in the form of queries. */
export function addressRange(range: AddressRange): Range {
  return { space: range.family === 4 ? 'ipv4' : 'ipv6', first: range.first, last: range.last };
}

/**
 * Which objects around a range K to find (queries.md 3.2). The stored ranges of one type and source are disjoint, equal
 * or nested; K may overlap them partly.
 * - `default`: those equal to K if there are any, else those with the smallest range that contains K
 * - `exact`: those equal to K
 * - `one-less`: those with the smallest range that strictly contains K
 * - `all-less`: those that contain K, including equal ones; widest first
 * - `one-more`: those strictly inside K that are not inside another one that is strictly inside K; by address
 * - `all-more`: those strictly inside K; by address, a parent before its children
 */
export type Mode = 'default' | 'exact' | 'one-less' | 'all-less' | 'one-more' | 'all-more';
