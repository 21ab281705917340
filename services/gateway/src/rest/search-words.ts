// /search/words

import type { NamedObject } from '@cadastre/proto/search';
import { chargeReads } from '../limits/exceeded.js';
import { jsonContent } from '../openapi/content.js';
import { cursorBytes, parameter } from '../parameters.js';
import { clientGone } from '../reply/reply-end.js';
import { jsonReply } from '../reply/send.js';
import type { PathParameters, Resource, Route } from '../route.js';
import { searchQuery } from './search-request.js';

const usualLimit = 20;
const largestLimit = 100;

const wordsQuery = {
  'query-string': parameter.text(
    'The words, at most 8. Characters that are neither letters nor digits separate words; letter case and accents do not matter; a single character is not a word.',
    { required: true, example: 'example network' },
  ),
  source: parameter.text('The source to search; default: the source of this registry.', { example: 'TEST' }),
  'type-filter': searchQuery['type-filter'],
  limit: parameter.count(
    `Maximum number of objects, at most ${largestLimit}; default: ${usualLimit}. With 0 the response has only the counts.`,
  ),
  cursor: parameter.text('Where to start: the `cursor` of a response to the same search.'),
};

/** GET of the objects that contain words. */
const wordSearch: Route<PathParameters, typeof wordsQuery> = {
  id: 'searchWords',
  tag: 'Search',
  summary: 'Search for words',
  doc: 'Returns the objects that have all the words in their names, descriptions, remarks or addresses, and the number of each type. Objects whose key or name equals the complete text are first, then those with the words in their names. Persons, and roles without `abuse-mailbox`, are found by their handles only. If `partial` is true, very many objects contain the words, 10,000 or more: counts and pages have only those with all words in their names and the first ones of the others.',
  query: wordsQuery,
  success: { doc: 'The objects, possibly none.', content: jsonContent('WordMatches') },
  credentials: 'optional',
  showsObjects: true,
  handler: async (context, request, reply) => {
    const { id: requestId, query, limitedClient } = request;
    const requested = {
      query: query['query-string'],
      source: query.source,
      types: [...query['type-filter']],
      limit: Math.min(query.limit ?? usualLimit, largestLimit),
      cursor: query.cursor === '' ? Buffer.alloc(0) : cursorBytes(query.cursor),
      client: limitedClient.id,
    };
    const call = { deadlineMs: context.settings.deadlines.search, requestId, signal: clientGone(reply) };
    const answer = await context.search.searchWords(requested, call);
    const { counts, isPartial, serial, found, cursor } = answer;
    chargeReads(context, limitedClient)(answer.processingMs);
    return jsonReply({
      counts: counts.map(({ type, objects }) => ({ type, objects: Number(objects) })),
      partial: isPartial,
      serial: Number(serial),
      found: found.map(({ object, matches }) => ({
        ...namedObject(object!),
        matches: matches.map(({ name, value }) => ({ attribute: name, value })),
      })),
      ...(cursor.length > 0 && { cursor: Buffer.from(cursor).toString('base64url') }),
    });
  },
};

/** The object in JSON. */
export function namedObject({ title, ...object }: NamedObject): Omit<NamedObject, 'title'> & { title?: string } {
  return title === '' ? object : { ...object, title };
}

export const searchWordsResource: Resource = {
  name: 'search-words',
  url: '/search/words',
  load: 'search',
  format: 'json',
  GET: wordSearch,
};
