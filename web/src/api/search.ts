import { momentOf } from '../past/past.js';
import type { Message } from './message.js';
import { messagesIn, readObjects, type ShownObject } from './objects.js';
import { answerOf, linkedUrl, registry, undefinedOn, wholeAnswerOf } from './registry.js';

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
  /** What an inverse search finds has all these words in its type, key or name, or some of these addresses. */
  readonly contains?: string;
  /** A moment of the past: a serial, a date or a time. */
  readonly asOf?: string;
  /** Requests holders and abuse contacts of resources, and conflicts of routes with ROAs. Not for the past. */
  readonly annotations?: readonly Annotation[];
}

/** What a search may say about an object beside its attributes. */
export const allAnnotations = ['resource-holder', 'abuse-contact', 'roa-check'] as const;
type Annotation = (typeof allAnnotations)[number];

/** Where the next page of a search begins. */
export type NextPage = Pick<Query, 'cursor' | 'offset'>;

/** The found objects and the messages about the query. */
export interface Found {
  readonly objects: readonly ShownObject[];
  readonly messages: readonly Message[];
  /** With a limit or `contains`, where the objects after these begin, if there are more. */
  readonly next?: NextPage | undefined;
  /** How many objects `contains` has compared for these; 0 without it. */
  readonly compared: number;
}

/** Searches; an empty result is not an error. Throws a RequestFailed. */
export async function search(query: Query, signal?: AbortSignal): Promise<Found> {
  const call = registry.GET('/search', { params: { query: parametersOf(query) }, signal });
  const answer = await undefinedOn(wholeAnswerOf(call), 404);
  if (answer === undefined) return { objects: [], messages: [], compared: 0 };
  const page = linkedUrl(answer.headers, 'next')?.searchParams;
  const next = page && { cursor: page.get('cursor') ?? '', offset: Number(page.get('offset')) };
  const compared = Number(answer.headers.get('cadastre-compared'));
  return { objects: readObjects(answer.data), messages: messagesIn(answer.data), next, compared };
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
  const answer = await answerOf(registry.GET('/search/counts', { params: { query }, signal }));
  return { types: answer.counts, isPartial: answer.partial };
}

/** The parameters of GET /search for a URL. */
export function searchParameters(query: Query): URLSearchParams {
  const pairs = Object.entries(parametersOf(query)).flatMap(([name, value]) =>
    [value].flat().map((item) => [name, String(item)]),
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
  contains = '',
  asOf = '',
  annotations = [],
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
    ...(contains === '' ? {} : { contains }),
    ...momentOf(asOf),
    ...(Object.fromEntries(annotations.map((name) => [name, true])) as { readonly [name in Annotation]?: true }),
  };
}
