// /search/space

import type { SpaceObject } from '@cadastre/proto/objects';
import { shortCall } from '../backends/call-options.js';
import type { Context } from '../context.js';
import { jsonContent } from '../openapi/content.js';
import { parameter } from '../parameters.js';
import { clientGone } from '../reply/reply-end.js';
import { jsonReply, type RouteReply } from '../reply/send.js';
import type { PathParameters, Resource, Route, RouteRequest } from '../route.js';
import { accountPrincipal } from './caller-account.js';

const defaultParts = 64;

const spaceQuery = {
  'query-string': parameter.text('An address, a prefix, or a range of IPv4 addresses.', {
    required: true,
    example: '192.0.2.0/24',
  }),
  source: parameter.text('The source; default: the source of this registry.', { example: 'TEST' }),
  parts: parameter.count(`Maximum number of parts of the range, 1 to 256; default: ${defaultParts}.`),
};

/** GET of the networks and the free space inside a range of addresses. */
const spaceDescription: Route<PathParameters, typeof spaceQuery> = {
  id: 'describeSpace',
  tag: 'Search',
  summary: 'Show used and free addresses',
  doc: 'Returns the inetnums or inet6nums inside a range of addresses or across one of its bounds, their use of equal parts of it, and the first free prefix of each length. Needs an account, because a response may need to read 100,000 objects. If `partial` is true, there are more objects than that: only some of them count, and `free` is empty.',
  query: spaceQuery,
  success: { doc: 'The used and the free addresses.', content: jsonContent('Space') },
  credentials: 'required',
  handler: describeSpace,
};

export const spaceResource: Resource = {
  name: 'search-space',
  url: '/search/space',
  load: 'search',
  format: 'json',
  GET: spaceDescription,
};

async function describeSpace(
  context: Context,
  request: RouteRequest<PathParameters, typeof spaceQuery>,
  reply: Parameters<typeof clientGone>[0],
): Promise<RouteReply> {
  accountPrincipal(request);
  const { 'query-string': resource, source, parts = defaultParts } = request.query;
  const call = { ...shortCall(context, request), signal: clientGone(reply) };
  const space = await context.hierarchy.describeSpace({ resource, source, parts }, call);
  return jsonReply({
    source: space.source,
    type: space.type,
    range: space.range,
    addresses: space.addresses,
    enclosing: space.enclosing.map(networkOf),
    used: space.used,
    objects: space.objects,
    partial: space.isPartial,
    parts: space.parts.map(({ range, used, objects }) => ({ range, used, objects })),
    inside: space.inside,
    free: space.free,
  });
}

/** A network in documents of address space. */
export function networkOf({ key, netname, status }: SpaceObject) {
  return {
    ...{ source: key?.source ?? '', type: key?.type ?? '', key: key?.key ?? '' },
    ...(netname !== '' && { netname }),
    ...(status !== '' && { status }),
  };
}
