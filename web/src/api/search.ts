import { momentOf } from '../past/past.js';
import type { Message } from './message.js';
import { optional, readMessages, readObjects, type ShownObject } from './objects.js';
import { answerOf, RequestFailed, registry } from './registry.js';

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
  /** A moment of the past: a serial, a date or a time. */
  readonly asOf?: string;
  /** Asks for holders and abuse contacts of resources, and for conflicts of routes with ROAs. Not for the past. */
  readonly annotated?: boolean;
}

/** The found objects and the messages about the query. */
export interface Found {
  readonly objects: readonly ShownObject[];
  readonly messages: readonly Message[];
}

/** Searches; an empty result is not an error. Throws a RequestFailed. */
export async function search(query: Query, signal?: AbortSignal): Promise<Found> {
  try {
    const answer = await answerOf(
      registry.GET('/search', { params: { query: parametersOf(query) }, ...optional(signal) }),
    );
    return { objects: readObjects(answer), messages: readMessages(answer) };
  } catch (error) {
    if (error instanceof RequestFailed && error.status === 404) return { objects: [], messages: [] };
    throw error;
  }
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
    ...momentOf(asOf),
    ...(annotated ? { 'resource-holder': true, 'abuse-contact': true, 'roa-check': true } : {}),
  };
}
