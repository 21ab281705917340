import type { Message } from '@cadastre/proto/registry';
import type { InverseTerm, SearchedSource, SearchFlag } from '@cadastre/query';
import type { ObjectTypeName } from '@cadastre/rpsl';
import { addressTypes, type ListFilter, type TypeQuery } from '../index-port.js';
import type { Found } from '../run/found.js';

/** The search itself. Types come in the order of results. */
export type Search =
  | { readonly kind: 'direct'; readonly queries: readonly TypeQuery[] }
  | {
      readonly kind: 'inverse';
      readonly types: readonly ObjectTypeName[];
      readonly terms: readonly InverseTerm[];
      /** Whether networks and routes come in the order of addresses; absent for that of keys. */
      readonly byAddress?: true;
    };

/** The order of the objects of a type in an inverse lookup. */
export function inverseOrder({ byAddress }: { readonly byAddress?: true }, type: ObjectTypeName): 'key' | 'address' {
  return byAddress && addressTypes.has(type) ? 'address' : 'key';
}

/** Which related objects to return with the found ones. */
export interface RelatedTypes {
  readonly contacts: boolean;
  readonly organisations: boolean;
  /** Irt objects of the object itself or of the nearest one that encloses it (flag `c`, decision R9). */
  readonly irts: boolean;
}

/** No related objects. */
export const noRelated: RelatedTypes = { contacts: false, organisations: false, irts: false };

/** A parsed query. */
export interface QueryPlan {
  /** Flags in the order submitted. */
  readonly flags: readonly SearchFlag[];
  /** Sources to search, in order. */
  readonly sources: readonly SearchedSource[];
  readonly search: Search;
  /** What the objects of an inverse search of one source must have; then there are no related ones. */
  readonly filter?: ListFilter;
  readonly related: RelatedTypes;
  /** Whether related objects follow each object; otherwise they come once, at the end. */
  readonly grouping: boolean;
  readonly unfiltered: boolean;
  /** Returns only objects that follow, or violate, the rules of their type. */
  readonly syntax?: 'valid' | 'invalid';
  /** Whether the result also has the others, without their texts. */
  readonly withLeftOut: boolean;
  /** Lower case. Returns only objects with any of them, if there are any. */
  readonly includeTags: readonly string[];
  /** Lower case. Omits objects with any of them. */
  readonly excludeTags: readonly string[];
  /** Leaves out found objects, with their related ones; absent for none. */
  readonly leavesOut?: (one: Found) => boolean;
  /** Warnings about useless parts of the query, which runs nevertheless. */
  readonly warnings: readonly Message[];
}
