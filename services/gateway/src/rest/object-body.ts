import type { Message } from '@cadastre/proto/registry';
import type { FoundObject } from '@cadastre/proto/search';
import type { FastifyReply } from 'fastify';
import type { Context } from '../context.js';
import type { FlagParameter } from '../parameters.js';
import { clientGone } from '../reply/reply-end.js';
import type { PathParameters, RouteRequest } from '../route.js';

interface Showing {
  /** Shows the revision number. */
  readonly asVersion?: boolean;
  readonly messages?: readonly Message[];
}

/** The whois-resources document of objects in the format of a request. Throws a ServiceError. */
export function objectBody(
  { renderer, settings, version }: Pick<Context, 'renderer' | 'settings' | 'version'>,
  request: RouteRequest<PathParameters, Record<'unformatted', FlagParameter>>,
  reply: FastifyReply,
  objects: readonly FoundObject[],
  { asVersion = false, messages = [] }: Showing = {},
): Promise<Buffer> {
  const { format, base, query, limitedClient: client } = request;
  const view = { base, unformatted: query.unformatted, asVersion };
  const tail = { terms: settings.termsUrl, version };
  const asking = { client, gone: () => clientGone(reply) };
  return renderer.document({ format, head: {}, objects, view, messages, tail }, asking);
}
