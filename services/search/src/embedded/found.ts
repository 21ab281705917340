import { addressPlace, keyPlace, type Order, type Place } from './places.js';
import type { Tables } from './tables.js';

/** An object that a query finds. */
export interface Match {
  readonly id: number;
  /** Its position in the order of the query, if it was read: a row without bytes costs much less. */
  readonly place?: Place;
}

/** Where a query continues. */
export interface Start {
  readonly place: Place;
  /** Whether the object at the position itself is wanted. */
  readonly isIncluded: boolean;
}

/** The first matches of a query after a position, in its order. */
export interface Found {
  readonly matches: readonly Match[];
  /** Where to continue; undefined when these are all. */
  readonly next: Start | undefined;
}

/** Up to `limit` matches; when the limit is reached, more may follow. */
export function cut(tables: Tables, order: Order, matches: readonly Match[], limit: number): Found {
  if (matches.length < limit) return { matches, next: undefined };
  const some = matches.slice(0, limit);
  return { matches: some, next: { place: placeOf(tables, order, some.at(-1)!), isIncluded: false } };
}

/** The position of a match in an order. */
export function placeOf(tables: Tables, order: Order, { id, place }: Match): Place {
  if (place !== undefined) return place;
  const [key, first, last] = tables.row<[string, Uint8Array | null, Uint8Array | null]>(
    'select key, first, last from object where id = ?',
    id,
  )!;
  return order === 'address' && first && last ? addressPlace({ first, last }, key) : keyPlace(key);
}
