import { momentOf } from '../past/past.js';
import type { Message } from './message.js';
import { messagesIn, optional, readObjects, type ShownObject } from './objects.js';
import { answerOf, isNotFound, registry, wholeAnswerOf } from './registry.js';

/** A query to the registry (GET /search). */
export interface Query {
  readonly text: string;
  readonly types?: readonly string[];
  readonly sources?: readonly string[];
  readonly inverse?: readonly string[];
  /** Long names: `all-less`, `no-referenced`, ... */
  readonly flags?: readonly string[];
  readonly limit?: number;
  readonly offset?: number;
  /** The start of a page, from the link of another page; the offset counts from there. */
  readonly cursor?: string;
  /** Whether an inverse search has networks and routes in the order of addresses; default: of keys. */
  readonly byAddress?: boolean;
  /** A moment of the past: a serial, a date or a time. */
  readonly asOf?: string;
  /** Requests holders and abuse contacts of resources, and conflicts of routes with ROAs. Not for the past. */
  readonly annotated?: boolean;
}

/** Where the next page of a search begins. */
export type NextPage = Pick<Query, 'cursor' | 'offset'>;

/** The found objects and the messages about the query. */
export interface Found {
  readonly objects: readonly ShownObject[];
  readonly messages: readonly Message[];
  /** With a limit, where the objects after these begin, if there are more. */
  readonly next?: NextPage;
}

/** Searches; an empty result is not an error. Throws a RequestFailed. */
export async function search(query: Query, signal?: AbortSignal): Promise<Found> {
  try {
    const call = registry.GET('/search', { params: { query: parametersOf(query) }, ...optional(signal) });
    const { data, headers } = await wholeAnswerOf(call);
    return { objects: readObjects(data), messages: messagesIn(data), ...nextPageOf(headers) };
  } catch (error) {
    if (isNotFound(error)) return { objects: [], messages: [] };
    throw error;
  }
}

/** Reads the `Link` to the next page. */
function nextPageOf(headers: Headers): Pick<Found, 'next'> {
  const [, url] = /<([^>]*)>;\s*rel="next"/.exec(headers.get('link') ?? '') ?? [];
  if (url === undefined) return {};
  const { searchParams } = new URL(url, location.href);
  return {
    next: { cursor: searchParams.get('cursor') ?? '', offset: Number(searchParams.get('offset')) },
  };
}

/** The number of objects of each type that an inverse lookup finds, in the order of results. */
export interface TypeCounts {
  readonly types: readonly { readonly type: string; readonly objects: number }[];
  /** Whether there are more than these. */
  readonly isPartial: boolean;
}

/** Counts the objects in which one of these attributes has a value. Throws a RequestFailed. */
export async function countReferrers(
  { text, source, inverse }: { readonly text: string; readonly source: string; readonly inverse: readonly string[] },
  signal?: AbortSignal,
): Promise<TypeCounts> {
  const query = { 'query-string': text, source, 'inverse-attribute': inverse.join(',') };
  const answer = await answerOf(registry.GET('/search/counts', { params: { query }, ...optional(signal) }));
  return { types: answer.counts, isPartial: answer.partial };
}

/** The parameters of GET /search for a URL. */
export function searchParameters(query: Query): URLSearchParams {
  const pairs = Object.entries(parametersOf(query)).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)]),
  );
  return new URLSearchParams(pairs);
}

/** The parameters of GET /search, without empty ones. */
function parametersOf({
  text,
  sources = [],
  types = [],
  inverse = [],
  flags = [],
  limit,
  offset = 0,
  cursor = '',
  byAddress = false,
  asOf = '',
  annotated = false,
}: Query) {
  return {
    'query-string': text,
    source: [...sources],
    'type-filter': [...types],
    'inverse-attribute': [...inverse],
    flags: [...flags],
    ...(limit === undefined ? {} : { limit }),
    ...(offset === 0 ? {} : { offset }),
    ...(cursor === '' ? {} : { cursor }),
    ...(byAddress ? { order: 'address' as const } : {}),
    ...momentOf(asOf),
    ...(annotated ? { 'resource-holder': true, 'abuse-contact': true, 'roa-check': true } : {}),
  };
}
