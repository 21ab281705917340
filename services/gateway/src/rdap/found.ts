import type { RegistryObject } from '@cadastre/proto/registry';
import type { ObjectName } from '../backends/lookup-cache.js';
import type { Context } from '../context.js';

/** What documents are made for. */
export interface RdapRequest {
  readonly id: string;
  /** The URL that was asked: `value` of the links of its answer. */
  readonly link: string;
  /** Base of links, without a final slash. */
  readonly base: string;
  readonly signal: AbortSignal;
}

/** An object to show, with what is known of it already. */
export interface Found {
  readonly object: RegistryObject;
  /** Key of the nearest object that encloses it; null when there is none, undefined when it is to be looked up. */
  readonly parentKey?: string | null;
}

/** A document without the members of the top level, and the objects and types that it was made of. */
export interface FoundDocument {
  readonly document: object;
  /** For the cache (`LookupCache.beginAny`). */
  readonly madeOf: readonly ObjectName[];
}

/**
 * The documents of many objects, for a search or a single lookup, with entities, abuse contacts and parents. All of them
 * together take two exchanges, one after the other, with the objects service and one with geo. Throws a ServiceError.
 */
export type ShowFound = (
  context: Context,
  request: RdapRequest,
  found: readonly Found[],
) => Promise<readonly FoundDocument[]>;
