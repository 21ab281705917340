import { answer } from '@cadastre/rdap';
import type { FastifyReply } from 'fastify';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { messages } from '../messages.js';
import { countIfPersonal } from '../plugins/limits.js';
import type { RouteReply } from '../plugins/reply.js';
import type { RouteRequest } from '../routes/route.js';
import { type Found, showFound, showingFor } from './found.js';

/** A success: a document of RDAP. */
export function rdapReply(document: object): RouteReply {
  return { status: 200, content: Buffer.from(JSON.stringify(document)) };
}

/** Replies with the document of the object that `find` finds. The entity asked for counts if it is a person. */
export async function foundReply(
  context: Context,
  request: RouteRequest,
  reply: FastifyReply,
  find: () => Promise<Found>,
): Promise<RouteReply> {
  const found = await find();
  const tooMany = await countIfPersonal(context, request, found.object);
  if (tooMany) throw tooMany;
  const showing = showingFor(context, request, reply);
  const [shown] = await showFound(context, showing, [found]);
  if (shown === undefined) throw new HttpError(500, messages.unexpected());
  return rdapReply(answer(showing.registry, { url: showing.url }, shown.nested));
}
