// /session/maintainers

import { shortCall } from '../backends/call-options.js';
import { storageUseOf } from '../backends/storage-use.js';
import type { Context } from '../context.js';
import { jsonContent } from '../openapi/content.js';
import { jsonReply, type RouteReply } from '../reply/send.js';
import type { Resource, Route, RouteRequest } from '../route.js';
import { accountPrincipal } from './caller-account.js';

/** GET of the mntners for which the caller's account may act. */
const ownMaintainerList: Route = {
  id: 'listOwnMaintainers',
  tag: 'Account',
  summary: 'List my mntners',
  doc: "Returns the mntners that the caller's account may use; with a key that is limited to a mntner, only that one.",
  query: {},
  success: { doc: 'The mntners.', content: jsonContent('OwnMaintainers') },
  credentials: 'required',
  handler: listOwnMaintainers,
};

export const ownMaintainersResource: Resource = {
  name: 'own-maintainers',
  url: '/session/maintainers',
  format: 'json',
  isSecret: true,
  GET: ownMaintainerList,
};

async function listOwnMaintainers(context: Context, request: RouteRequest): Promise<RouteReply> {
  const principal = accountPrincipal(request);
  const call = shortCall(context, request);
  const { maintainers, incomplete } = await context.reader.listOwnMaintainers({ principal }, call);
  const stored = await storageUseOf(
    context,
    request,
    maintainers.map(({ key }) => key),
  );
  const entries = maintainers.map(({ source, key }) => {
    const { used, limit } = stored.mntners[key] ?? {};
    const storage = limit !== undefined && { storage: { used: Number(used), most: Number(limit) } };
    return { source, key, ...storage };
  });
  return jsonReply({ maintainers: entries, incomplete });
}
