// /session/space

import { shortCall } from '../backends/call-options.js';
import type { Context } from '../context.js';
import { jsonContent } from '../openapi/content.js';
import { clientGone } from '../reply/reply-end.js';
import { jsonReply, type RouteReply } from '../reply/send.js';
import type { Resource, Route, RouteRequest } from '../route.js';
import { accountPrincipal } from './caller-account.js';
import { networkOf } from './search-space.js';

/** GET of the address space of the caller's account. */
const ownSpaceList: Route = {
  id: 'listOwnSpace',
  tag: 'Account',
  summary: 'List my address space',
  doc: "Returns the outermost inetnums and inet6nums that name a mntner of the caller's account in any attribute: those inside no other one of them. IPv4 is first. The objects of a complete address space do not count.",
  query: {},
  success: { doc: 'The address space.', content: jsonContent('OwnSpace') },
  credentials: 'required',
  handler: listOwnSpace,
};

export const ownSpaceResource: Resource = {
  name: 'own-space',
  url: '/session/space',
  load: 'search',
  format: 'json',
  isSecret: true,
  GET: ownSpaceList,
};

async function listOwnSpace(
  context: Context,
  request: RouteRequest,
  reply: Parameters<typeof clientGone>[0],
): Promise<RouteReply> {
  const principal = accountPrincipal(request);
  const call = { ...shortCall(context, request), signal: clientGone(reply) };
  const { objects, incomplete } = await context.hierarchy.listOwnSpace({ principal }, call);
  const networks = objects.map((one) => ({ ...networkOf(one), attributes: one.attributes }));
  return jsonReply({ networks, incomplete });
}
