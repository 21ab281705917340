import type { ObjectName } from '../paths.js';
import { answerOf, hasStatus, registry } from './registry.js';

/** An object that a search for words found, or that the registry suggests. */
export interface NamedObject {
  readonly name: ObjectName;
  /** Its netname, name or first description, if it has one. */
  readonly title?: string;
}

/** A search for words in names, descriptions, remarks and addresses. */
export interface WordQuery {
  readonly text: string;
  readonly types: readonly string[];
  readonly sources: readonly string[];
  /** The cursor of the page before; empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

/** The result of a search for words. */
export interface FoundWords {
  /** The number of objects by type, on all pages. */
  readonly counts: readonly { readonly type: string; readonly objects: number }[];
  /** Whether there are more objects than the registry counted. */
  readonly isPartial: boolean;
  /** The best matches, with some of the lines that have the words. */
  readonly found: readonly FoundByWords[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: string;
}

/** An object with lines that have the words. */
export interface FoundByWords extends NamedObject {
  readonly matches: readonly { readonly attribute: string; readonly value: string }[];
}

/** Whether the registry has neither a search for words nor suggestions: an older release. */
export function isMissingSearch(error: unknown): boolean {
  return hasStatus(error, 404, 405, 501);
}

/** Searches for words. Throws a RequestFailed. */
export async function searchWords(query: WordQuery, signal?: AbortSignal): Promise<FoundWords> {
  const { text, types, sources, after, limit } = query;
  const parameters = {
    'query-string': text,
    'type-filter': [...types],
    limit,
    ...(sources[0] === undefined ? {} : { source: sources[0] }),
    ...(after && { cursor: after }),
  };
  const { counts, partial, found, cursor } = await answerOf(
    registry.GET('/search/words', { params: { query: parameters }, signal }),
  );
  return {
    counts,
    isPartial: partial,
    found: found.map(({ matches, ...sent }) => ({ ...namedObject(sent), matches })),
    ...(cursor ? { next: cursor } : {}),
  };
}

/** The objects whose key, handle or name begins with a text, the best first. Throws a RequestFailed. */
export async function suggest(beginning: string, signal?: AbortSignal): Promise<NamedObject[]> {
  const sent = await answerOf(registry.GET('/search/suggestions', { params: { query: { beginning } }, signal }));
  return sent.suggestions.map(namedObject);
}

function namedObject({ source, type, key, title }: ObjectName & { readonly title?: string | undefined }): NamedObject {
  return { name: { source, type, key }, ...(title ? { title } : {}) };
}
