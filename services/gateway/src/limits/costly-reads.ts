import type { FastifyReply } from 'fastify';
import type { Context } from '../context.js';
import { clientLeft } from '../errors.js';
import { clientGone } from '../reply/reply-end.js';
import type { RouteRequest } from '../route.js';
import { checkCosts } from './exceeded.js';

/**
 * Runs a potentially expensive read, such as that of a version: each client has one at a time, so that it has paid for
 * the earlier ones before it begins. Aborts when the client disconnects. Throws an HttpError (429) when the earlier
 * requests of the client have cost too much.
 */
export async function readInTurn<T>(
  context: Pick<Context, 'turns' | 'limiter' | 'metrics'>,
  { limitedClient }: Pick<RouteRequest, 'limitedClient'>,
  reply: FastifyReply,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = clientGone(reply);
  try {
    return await context.turns.of(limitedClient.id, gone).read(async () => {
      checkCosts(context, limitedClient);
      return read(gone);
    });
  } catch (error) {
    throw gone.aborted ? clientLeft() : error;
  }
}
