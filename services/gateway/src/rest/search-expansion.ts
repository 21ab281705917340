// /search/expansion

import type { MemoryShare } from '@cadastre/service';
import { HttpError } from '../errors.js';
import { jsonContent } from '../openapi/content.js';
import { namesIn, parameter } from '../parameters.js';
import { takeMemory } from '../reply/held-replies.js';
import { clientGone } from '../reply/reply-end.js';
import { messages } from '../ripe-messages.js';
import type { PathParameters, Resource, Route } from '../route.js';

const expansionQuery = {
  set: parameter.text('The name of an as-set, route-set or rtr-set.', { required: true, example: 'AS-EXAMPLE' }),
  source: parameter.text(
    'The source, without its non-authoritative part, which is a separate source; default: the source of this registry.',
    { example: 'TEST' },
  ),
  sources: parameter.list(
    'Further sources of sets and routes, after `source` if there is one. A set is from the first source that has it, routes are from all.',
  ),
  'route-sources': parameter.list('The sources whose routes count; default: those of sets.'),
  depth: parameter.count('Levels of sets to read below the first one; default: all, up to 50.'),
  prefixes: parameter.flag(
    'Adds the prefixes of the members and of the routes of AS numbers, with their numbers, and without those that ROAs make invalid.',
  ),
};

/** GET of the content of a set. */
const setExpansion: Route<PathParameters, typeof expansionQuery> = {
  id: 'expandSet',
  tag: 'Search',
  summary: 'Expand a set',
  doc: 'Returns the members of a set and of the sets in it, by `members`, `mp-members` and `mbrs-by-ref`, and all AS numbers, prefixes and routers among them. A set in a loop counts once, and a range operator applies to all prefixes behind it. A member of the form `SOURCE::AS-EXAMPLE` is the set of that source. If `partial` is true, there is more: the registry reads for five seconds at most, and no more than 10,000 sets, 100,000 members (or the limit of the operator) and 50,000 prefixes. A set with more than 50,000 members is not expanded, nor one that has it as a member: the response is 400 and names the set. A client has one expansion at a time, others wait.',
  query: expansionQuery,
  success: { doc: 'The expansion.', content: jsonContent('SetExpansion') },
  refusals: { 404: 'The set does not exist.' },
  credentials: 'optional',
  handler: async (context, request, reply) => {
    const { id: requestId, query, limitedClient } = request;
    if (context.sets === undefined) throw new HttpError(503, messages.noSetIndex());
    const requested = {
      sources: namesIn([query.source, ...query.sources]),
      routeSources: namesIn(query['route-sources']),
      name: query.set,
      depth: query.depth,
      withPrefixes: query.prefixes,
      client: limitedClient.id,
    };
    const signal = clientGone(reply);
    const call = { deadlineMs: context.settings.deadlines.search, requestId, signal };
    const parts: Buffer[] = [];
    const shares: MemoryShare[] = [];
    try {
      for await (const part of context.sets.describeSet(requested, call)) {
        // The document has about the same size. It is counted from here on, until it is one reply.
        shares.push(takeMemory(context, limitedClient.id, 2 * part.length));
        parts.push(part);
      }
      const asking = { client: limitedClient, gone: () => signal };
      return { status: 200, content: await context.renderer.expansion(Buffer.concat(parts), query.prefixes, asking) };
    } finally {
      for (const share of shares) share.release();
    }
  },
};

export const setExpansionResource: Resource = {
  name: 'set-expansion',
  url: '/search/expansion',
  load: 'search',
  format: 'json',
  GET: setExpansion,
};
