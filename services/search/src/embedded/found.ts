import type { Place } from './places.js';

/** An object that a query finds, and its place in the order of the query. */
export interface Match {
  readonly id: number;
  readonly place: Place;
}

/** From where a query continues. */
export interface Start {
  readonly place: Place;
  /** Whether the object at the place itself is wanted. */
  readonly isIncluded: boolean;
}

/** The first matches of a query after a place, in its order. */
export interface Found {
  readonly matches: readonly Match[];
  /** Where to continue; undefined when these are all. */
  readonly next: Start | undefined;
}

/** Up to `limit` matches; when there are so many, more may follow. */
export function cut(matches: readonly Match[], limit: number): Found {
  const some = matches.slice(0, limit);
  const last = some.length === limit ? some.at(-1) : undefined;
  return { matches: some, next: last && { place: last.place, isIncluded: false } };
}
