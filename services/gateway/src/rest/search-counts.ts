// /search/counts

import { HttpError } from '../errors.js';
import { chargeReads } from '../limits/exceeded.js';
import { jsonContent } from '../openapi/content.js';
import { parameter } from '../parameters.js';
import { clientGone } from '../reply/reply-end.js';
import { jsonReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { PathParameters, Resource, Route } from '../route.js';
import { searchQuery } from './search-request.js';

const countQuery = {
  'query-string': parameter.text('The value of the attributes.', { required: true, example: 'EXAMPLE-MNT' }),
  'inverse-attribute': parameter.text('The attribute; accepts a comma-separated list and short names.', {
    required: true,
    example: 'mnt-by',
  }),
  'type-filter': searchQuery['type-filter'],
  source: parameter.text('The source to search; default: the source of this registry.', { example: 'TEST' }),
};

/** GET of the number of objects that an inverse lookup finds. */
const objectCounts: Route<PathParameters, typeof countQuery> = {
  id: 'countObjects',
  tag: 'Search',
  summary: 'Count objects by type',
  doc: 'Returns how many objects an inverse lookup finds, by type, without related objects. If `partial` is true, there are more than 100,000, and these are only the first ones.',
  query: countQuery,
  success: { doc: 'The numbers of objects.', content: jsonContent('ObjectCounts') },
  credentials: 'optional',
  handler: async (context, request, reply) => {
    const { id: requestId, query, limitedClient } = request;
    if (query['inverse-attribute'] === '') throw new HttpError(400, messages.inverseAttributeRequired());
    const requested = {
      query: query['query-string'],
      source: query.source,
      types: [...query['type-filter']],
      inverseAttributes: [query['inverse-attribute']],
      client: limitedClient.id,
    };
    const deadlineMs = context.settings.deadlines.search;
    const call = { deadlineMs, requestId, signal: clientGone(reply) };
    const answer = await context.search.countObjects(requested, call);
    const { counts, isPartial, serial } = answer;
    chargeReads(context, limitedClient)(answer.processingMs);
    return jsonReply({
      counts: counts.map(({ type, objects }) => ({ type, objects: Number(objects) })),
      partial: isPartial,
      serial: Number(serial),
    });
  },
};

export const searchCountsResource: Resource = {
  name: 'search-counts',
  url: '/search/counts',
  load: 'search',
  format: 'json',
  GET: objectCounts,
};
