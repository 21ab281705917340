import type { components } from '@cadastre/client';
import { answerOf, registry } from './registry.js';

/** An object that the registry suggests. */
export type NamedObject = components['schemas']['Suggestion'];

/** The result of a search for words: objects with some of the lines that have the words. */
export type FoundWords = components['schemas']['WordMatches'];

/** A search for words in names, descriptions, remarks and addresses. */
interface WordQuery {
  readonly text: string;
  readonly types: readonly string[];
  readonly sources: readonly string[];
  /** The cursor of the page before; empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

/** Searches for words. Throws a RequestFailed. */
export function searchWords(query: WordQuery, signal?: AbortSignal): Promise<FoundWords> {
  const { text, types, sources, after, limit } = query;
  const parameters = {
    'query-string': text,
    'type-filter': [...types],
    limit,
    ...(sources[0] === undefined ? {} : { source: sources[0] }),
    ...(after && { cursor: after }),
  };
  return answerOf(registry.GET('/search/words', { params: { query: parameters }, signal }));
}

/** The objects whose key, handle or name begins with a text, the best first. Throws a RequestFailed. */
export async function suggest(beginning: string, signal?: AbortSignal): Promise<NamedObject[]> {
  const answer = await answerOf(registry.GET('/search/suggestions', { params: { query: { beginning } }, signal }));
  return answer.suggestions;
}
