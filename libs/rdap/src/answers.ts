import type {
  Answer,
  AutnumSearch,
  Document,
  DomainSearch,
  EntitySearch,
  Failure,
  Help,
  History,
  IpSearch,
  PagingMetadata,
  ReverseSearchMapping,
  ReverseSearchProperties,
} from './documents.js';
import type { Asked, Nested, Registry } from './registry.js';

/** The answer to a lookup. */
export function answer<D extends Document>(_registry: Registry, _asked: Asked, _nested: Nested<D>): Answer<D> {
  throw new Error('Not implemented');
}

/** The answers of searches by the objects that they find. */
interface Searches {
  readonly ips: IpSearch;
  readonly autnums: AutnumSearch;
  readonly domains: DomainSearch;
  readonly entities: EntitySearch;
}

export type SearchKind = keyof Searches;

/** What a search says besides its results. */
export interface SearchPage {
  /** The number of results after which the rest was cut off. */
  readonly cut?: number;
  readonly paging?: PagingMetadata;
  readonly reverse?: ReverseSearchMapping;
}

/** The answer of a search, which has found something: nothing found is an `errorAnswer` with status 404. */
export function searchAnswer<K extends SearchKind>(
  _registry: Registry,
  _asked: Asked,
  _kind: K,
  _found: readonly Nested<Document>[],
  _page: SearchPage = {},
): Searches[K] {
  throw new Error('Not implemented');
}

/** A state of an object. */
export interface HistoryVersion {
  readonly from: Date;
  /** When it ended; absent for the current state. */
  readonly until?: Date;
  readonly nested: Nested<Document>;
}

/**
 * The states of an object, newest first, as in APNIC's draft-apnic-historical-rdap. `cut`: the number of states after
 * which the older ones were cut off.
 */
export function historyAnswer(
  _registry: Registry,
  _asked: Asked,
  _versions: readonly HistoryVersion[],
  _page: { readonly cut?: number } = {},
): History {
  throw new Error('Not implemented');
}

/** What the service can do. `extensions`: more names for `rdapConformance`. */
export function helpAnswer(
  _registry: Registry,
  _asked: Asked,
  _more: { readonly extensions?: readonly string[]; readonly reverse?: ReverseSearchProperties } = {},
): Help {
  throw new Error('Not implemented');
}

/** An answer with an HTTP status from 300. */
export function errorAnswer(
  _registry: Registry,
  _asked: Asked,
  _failure: {
    readonly status: number;
    readonly title: string;
    readonly description: readonly string[];
    /** What was asked for, if that is known. */
    readonly kind?: SearchKind;
  },
): Failure {
  throw new Error('Not implemented');
}
