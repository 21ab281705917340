import type { Message } from '@cadastre/proto/registry';
import type { FoundObject } from '@cadastre/proto/search';
import type { FastifyReply } from 'fastify';
import type { Context } from '../context.js';
import type { FlagParameter } from '../parameters.js';
import { smallBytes, takeMemory } from '../reply/held-replies.js';
import { clientGone } from '../reply/reply-end.js';
import type { PathParameters, RouteRequest } from '../route.js';

interface Showing {
  /** Shows the revision number. */
  readonly asVersion?: boolean;
  readonly messages?: readonly Message[];
}

/**
 * The whois-resources document of objects in the format of a request. Large texts count as memory of the client while
 * they wait for their rendering. Throws an HttpError (503) without memory, and a ServiceError.
 */
export async function objectBody(
  context: Pick<Context, 'answerMemory' | 'renderer' | 'settings' | 'version'>,
  request: RouteRequest<PathParameters, Record<'unformatted', FlagParameter>>,
  reply: FastifyReply,
  objects: readonly FoundObject[],
  { asVersion = false, messages = [] }: Showing = {},
): Promise<Buffer> {
  const { renderer, settings, version } = context;
  const { format, base, query, limitedClient: client } = request;
  const view = { base, unformatted: query.unformatted, asVersion };
  const tail = { terms: settings.termsUrl, version };
  const asking = { client, gone: () => clientGone(reply) };
  const characters = objects.reduce((sum, { object }) => sum + (object?.text.length ?? 0), 0);
  const share = characters > smallBytes ? takeMemory(context, client.id, characters) : undefined;
  try {
    return await renderer.document({ format, head: {}, objects, view, messages, tail }, asking);
  } finally {
    share?.release();
  }
}
