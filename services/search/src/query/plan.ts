import type { ObjectTypeName } from '@cadastre/rpsl';
import type { TypeQuery } from '../index-port.js';
import type { SearchFlag } from './flags.js';
import type { InverseTerm } from './inverse.js';

/** What to look for. Types come in the order of results. */
export type Search =
  | { readonly kind: 'direct'; readonly queries: readonly TypeQuery[] }
  | { readonly kind: 'inverse'; readonly types: readonly ObjectTypeName[]; readonly terms: readonly InverseTerm[] };

/** Which objects accompany the ones that were found. */
export interface RelatedTypes {
  readonly contacts: boolean;
  readonly organisations: boolean;
  /** Irt objects of the object itself or of the nearest one that encloses it (flag `c`, decision R9). */
  readonly irts: boolean;
}

/** A query that was understood. */
export interface QueryPlan {
  /** Flags in the order submitted. */
  readonly flags: readonly SearchFlag[];
  /** Sources to search, in order, upper case. */
  readonly sources: readonly string[];
  readonly search: Search;
  readonly related: RelatedTypes;
  /** Each object is followed by its related ones; otherwise they come once, after everything. */
  readonly grouping: boolean;
  readonly unfiltered: boolean;
  /** Only objects that keep, or break, the rules of their type. */
  readonly syntax?: 'valid' | 'invalid';
  /** Lower case. Kept: objects with any of them, if there are any. */
  readonly includeTags: readonly string[];
  /** Lower case. Dropped: objects with any of them. */
  readonly excludeTags: readonly string[];
}
