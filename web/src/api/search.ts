import type { Message } from './message.js';
import { readMessages, readObjects, type SentResources, type ShownObject } from './objects.js';
import { RequestFailed, requestJson } from './request.js';

/** A question to the registry (GET /search). */
export interface Query {
  readonly text: string;
  readonly types?: readonly string[];
  readonly sources?: readonly string[];
  readonly inverse?: readonly string[];
  /** Long names: `all-less`, `no-referenced`, ... */
  readonly flags?: readonly string[];
  readonly limit?: number;
  readonly offset?: number;
}

/** What was found, and what there is to say about it. */
export interface Found {
  readonly objects: readonly ShownObject[];
  readonly messages: readonly Message[];
}

/** Searches; nothing found is a result. Throws a RequestFailed. */
export async function search(query: Query, signal?: AbortSignal): Promise<Found> {
  try {
    const answer = await requestJson<SentResources>(`/search.json?${searchParameters(query)}`, { signal });
    return { objects: readObjects(answer), messages: readMessages(answer) };
  } catch (error) {
    if (error instanceof RequestFailed && error.status === 404) return { objects: [], messages: [] };
    throw error;
  }
}

/** The parameters of GET /search. */
export function searchParameters(query: Query): URLSearchParams {
  const parameters = new URLSearchParams({ 'query-string': query.text });
  for (const source of query.sources ?? []) parameters.append('source', source);
  for (const type of query.types ?? []) parameters.append('type-filter', type);
  for (const attribute of query.inverse ?? []) parameters.append('inverse-attribute', attribute);
  for (const flag of query.flags ?? []) parameters.append('flags', flag);
  if (query.limit !== undefined) parameters.set('limit', String(query.limit));
  if (query.offset) parameters.set('offset', String(query.offset));
  return parameters;
}
