import type { RegistryObject } from '@cadastre/proto/registry';
import { answer, type LoadedDocument, loadDocuments } from '@cadastre/rdap';
import { foldKey, isPersonal, type ObjectTypeName, rangeOfKey } from '@cadastre/rpsl';
import type { FastifyReply } from 'fastify';
import { type ObjectName, objectName, overlapNames, type PendingDocument, typeName } from '../backends/lookup-cache.js';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { contactCounter, contactName, countIfPersonal } from '../limits/personal-objects.js';
import { cacheKeyOf, compressedOnce } from '../reply/cached-replies.js';
import { entityTag } from '../reply/etag.js';
import type { RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { RouteRequest } from '../route.js';
import { type Found, showingFor } from './found.js';

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
  const [shown] = await loadDocuments(showing, [found]);
  if (shown === undefined) throw new HttpError(500, messages.unexpected());
  const success = rdapReply(answer(showing.registry, showing.requested, shown.nested));
  if (pending === undefined || !shown.isWhole || found.mayMove) return success;
  const tag = entityTag(success.content);
  const sent = await compressedOnce(context, request, success.content);
  const cacheable = {
    format: request.format,
    ...sent,
    entityTag: tag,
    isPersonal: isPersonal(found.object, context.settings.source),
    contacts: [...new Set(shown.persons().map(contactName))],
  };
  pending.store(cacheKeyOf(request), cacheable, namesOf(found.object, shown));
  return { status: 200, ...sent, entityTag: tag };
}

const typesAround: ReadonlySet<ObjectTypeName> = new Set(['inetnum', 'inet6num', 'domain']);

/** The names whose changes change the document of an object. */
function namesOf({ source, type, key }: RegistryObject, { objects, types }: LoadedDocument): ObjectName[] {
  const range = rangeOfKey(type, key);
  return [
    ...types.flatMap((one) =>
      range !== undefined && typesAround.has(one) ? overlapNames(source, one, range) : typeName(source, one),
    ),
    ...objects().map((one) => objectName(source, one.type, foldKey(one.type, one.key))),
  ];
}

/** Caches only repeated requests. */
function beginKeeping(context: Context, request: RouteRequest): PendingDocument | undefined {
  context.metrics.cached(false);
  const wasSeen = context.recentDocuments.seenRecently(cacheKeyOf(request));
  return wasSeen ? context.cache.beginDocument(context.settings.source) : undefined;
}
