// /metadata/limits

import type { Usage } from '@cadastre/limits';
import type { StorageUse } from '@cadastre/proto/objects';
import { storageUseOf } from '../backends/storage-use.js';
import type { Context } from '../context.js';
import { secondText } from '../documents/whois-resources.js';
import type { LimitEntry } from '../documents/whois-resources-schema.js';
import { readContent, whoisResources } from '../openapi/content.js';
import type { RouteReply } from '../reply/send.js';
import type { Resource, Route, RouteRequest } from '../route.js';

/** GET of the caller's limits and their use. */
const ownLimits: Route = {
  id: 'showLimits',
  tag: 'Metadata',
  summary: 'Show my limits',
  doc: 'Returns the limits of the caller, and their use.',
  query: {},
  success: { doc: 'The limits.', content: readContent(whoisResources('limits')) },
  credentials: 'optional',
  handler: showLimits,
};

export const limitsResource: Resource = { name: 'limits', url: '/metadata/limits', GET: ownLimits };

async function showLimits(context: Context, request: RouteRequest): Promise<RouteReply> {
  const { limitedClient, link } = request;
  const { today } = await storageUseOf(context, request);
  const limit = [...context.limiter.usage(limitedClient).map(limitEntry), ...(today ? [storageEntry(today)] : [])];
  return {
    status: 200,
    // Depends on the address, so caches must not store it.
    isPublic: false,
    content: { head: { link, service: 'getLimits', limits: { client: limitedClient.name, limit } } },
  };
}

function limitEntry({ name, limit, used, window }: Usage): LimitEntry {
  return {
    name,
    most: limit,
    used,
    remaining: Math.max(0, limit - used),
    ...(window && {
      seconds: window.lengthMs / 1000,
      resets: secondText(new Date(window.end)),
    }),
  };
}

/** The bytes of object texts that the client has stored today. */
function storageEntry({ used, limit, resets }: StorageUse): LimitEntry {
  return {
    name: 'storage',
    most: Number(limit),
    used: Number(used),
    remaining: Math.max(0, Number(limit - used)),
    ...(resets && { seconds: 86_400, resets: secondText(resets) }),
  };
}
