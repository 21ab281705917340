import type { Range } from '@cadastre/query';
import type { ObjectTypeName } from '@cadastre/rpsl';
import type { TypedKey } from '../index-port.js';
import { inverseOrder, type Search } from '../query/plan.js';
import { occupiedRange } from '../ranges.js';
import type { Found } from './found.js';

/** How far the result of a query has been read: its last objects. */
export interface ResultPosition {
  /** The position of the source among the searched ones, from 0. */
  readonly source: number;
  readonly primary: PrimaryPosition;
  /** The last related object that was read. */
  readonly related?: TypedKey;
}

/** The position of a primary object among the others of its source. */
export interface PrimaryPosition extends TypedKey {
  readonly range?: Pick<Range, 'first' | 'last'>;
}

export function positionOf({ stored, object }: Found): PrimaryPosition {
  const range = occupiedRange(object);
  return { type: stored.type, key: stored.key, ...(range && { range }) };
}

/**
 * Compares two primary objects in the order of a search: negative if the first comes first. The objects need not exist
 * any more, so a result can continue after a deleted one.
 */
export function comparePositions(search: Search, one: PrimaryPosition, other: PrimaryPosition): number {
  if (one.type !== other.type) return rankOf(search, one.type) - rankOf(search, other.type);
  const byRange = isByAddress(search, one.type) ? compareRanges(one.range, other.range) : 0;
  return byRange || compare(one.key, other.key);
}

function rankOf(search: Search, type: ObjectTypeName): number {
  const types = search.kind === 'inverse' ? search.types : search.queries.map((query) => query.type);
  return types.indexOf(type);
}

function isByAddress(search: Search, type: ObjectTypeName): boolean {
  if (search.kind === 'inverse') return inverseOrder(search, type) === 'address';
  const query = search.queries.find((one) => one.type === type);
  if (query === undefined || query.kind === 'hosts') return false;
  return query.kind !== 'terms' || query.order === 'address';
}

/** By first number, larger ranges first. */
function compareRanges(one: PrimaryPosition['range'], other: PrimaryPosition['range']): number {
  if (one === undefined || other === undefined) return 0;
  return compare(one.first, other.first) || compare(other.last, one.last);
}

export function compare<T extends bigint | string>(one: T, other: T): number {
  return one < other ? -1 : Number(one > other);
}
