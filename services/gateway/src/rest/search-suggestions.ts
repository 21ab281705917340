// /search/suggestions

import { chargeReads } from '../limits/exceeded.js';
import { jsonContent } from '../openapi/content.js';
import { parameter } from '../parameters.js';
import { clientGone } from '../reply/reply-end.js';
import { jsonReply } from '../reply/send.js';
import type { PathParameters, Resource, Route } from '../route.js';
import { namedObject } from './search-words.js';

const usualLimit = 8;
const largestLimit = 20;

const suggestionsQuery = {
  beginning: parameter.text('The beginning of the key or the name. Fewer than two characters find nothing.', {
    required: true,
    example: 'exam',
  }),
  limit: parameter.count(`Maximum number of objects, at most ${largestLimit}; default: ${usualLimit}.`),
};

/** GET of the objects whose keys or names begin with a text. */
const suggestions: Route<PathParameters, typeof suggestionsQuery> = {
  id: 'suggestObjects',
  tag: 'Search',
  summary: 'Complete a key or a name',
  doc: 'Returns objects of the source of this registry whose key or name begins with a text, in the order of these keys and names, one object for each name and type. Persons, and roles without `abuse-mailbox`, are found by their handles only.',
  query: suggestionsQuery,
  success: { doc: 'The objects, possibly none.', content: jsonContent('Suggestions') },
  credentials: 'optional',
  showsObjects: true,
  handler: async (context, request, reply) => {
    const { id: requestId, query, limitedClient } = request;
    const limit = Math.min(query.limit ?? usualLimit, largestLimit);
    const requested = { beginning: query.beginning, limit, client: limitedClient.id };
    const call = { deadlineMs: context.settings.deadlines.search, requestId, signal: clientGone(reply) };
    const found = await context.search.suggest(requested, call);
    chargeReads(context, limitedClient)(found.processingMs);
    return jsonReply({ suggestions: found.suggestions.map(namedObject) });
  },
};

export const searchSuggestionsResource: Resource = {
  name: 'search-suggestions',
  url: '/search/suggestions',
  load: 'search',
  format: 'json',
  GET: suggestions,
};
