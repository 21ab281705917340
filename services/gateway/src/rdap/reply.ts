import { answer } from '@cadastre/rdap';
import { isPersonal } from '@cadastre/rpsl';
import type { FastifyReply } from 'fastify';
import type { PendingDocument } from '../backends/lookup-cache.js';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { contactCounter, countIfPersonal } from '../limits/personal-objects.js';
import { cacheKeyOf, compressedOnce } from '../reply/cache.js';
import { entityTag } from '../reply/etag.js';
import type { RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { RouteRequest } from '../route.js';
import { type Found, showFound, showingFor } from './found.js';

/** A success: a document of RDAP. */
export function rdapReply(document: object): RouteReply & { readonly content: Buffer } {
  return { status: 200, content: Buffer.from(JSON.stringify(document)) };
}

/**
 * Replies with the document of the object that `find` finds, which counts if it is a person. Caches repeated anonymous
 * replies, until any of their dependencies changes.
 */
export async function foundReply(
  context: Context,
  request: RouteRequest,
  reply: FastifyReply,
  find: () => Promise<Found>,
): Promise<RouteReply> {
  const pending = request.principal === undefined ? beginKeeping(context, request) : undefined;
  const found = await find();
  const tooMany = await countIfPersonal(context, request, found.object);
  if (tooMany) throw tooMany;
  const showing = showingFor(context, request, reply, await contactCounter(context, request));
  const [shown] = await showFound(context, showing, [found]);
  if (shown === undefined) throw new HttpError(500, messages.unexpected());
  const success = rdapReply(answer(showing.registry, { url: showing.url }, shown.nested));
  if (pending === undefined || !shown.isWhole) return success;
  const tag = entityTag(success.content);
  const sent = await compressedOnce(context, request, success.content);
  const cacheable = {
    format: request.format,
    ...sent,
    entityTag: tag,
    isPersonal: isPersonal(found.object, context.settings.source),
    contacts: shown.contacts(),
  };
  pending.store(cacheKeyOf(request), cacheable, shown.madeOf());
  return { status: 200, ...sent, entityTag: tag };
}

/** Caches only repeated requests. */
function beginKeeping(context: Context, request: RouteRequest): PendingDocument | undefined {
  context.metrics.cached(false);
  const isAskedAgain = context.recentKeys.seenRecently(cacheKeyOf(request));
  return isAskedAgain ? context.cache.beginDocument(context.settings.source) : undefined;
}
