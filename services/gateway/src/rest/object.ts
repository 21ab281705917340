import type { Lookup } from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import { isPersonal } from '@cadastre/rpsl';
import type { FastifyReply } from 'fastify';
import type { ObjectName, PendingLookup } from '../backends/lookup-cache.js';
import type { Context } from '../context.js';
import { plainFound } from '../documents/render.js';
import { countIfPersonal } from '../limits/personal-objects.js';
import { readContent, whoisResources } from '../openapi/content.js';
import { parameter } from '../parameters.js';
import { cacheKeyOf, compressedOnce } from '../reply/cache.js';
import { objectTag } from '../reply/etag.js';
import type { RouteReply } from '../reply/send.js';
import type { Route, RouteRequest } from '../route.js';
import { addressedObject, inPart } from './addressed-object.js';
import { annotate, annotationQuery, requestedAnnotations } from './annotations.js';
import { asOfQuery, momentHeaders, requestedMoment } from './moment.js';
import { addressedName, type ObjectParameters, objectKeyOf } from './object-address.js';
import { objectBody } from './object-body.js';
import { lookUpPast } from './past-lookup.js';

const query = {
  unfiltered: parameter.flag(
    'Shows the attributes that a filtered object omits: `e-mail`, `notify` and others that name people. Only a client that authenticates as a mntner sees its `auth`.',
  ),
  unformatted: parameter.flag('Shows values as submitted, with their spaces, line ends and comments.'),
  ...annotationQuery,
  ...asOfQuery,
};

type LookupRequest = RouteRequest<ObjectParameters, typeof query>;

/** GET of one object. */
export const objectLookup: Route<ObjectParameters, typeof query> = {
  id: 'lookUpObject',
  tag: 'Objects',
  summary: 'Look up one object',
  doc: 'Returns the object with exactly this key; for address space, it does not look for an enclosing object. The object is filtered unless the request has `unfiltered`. A warning says so when requested annotations are not available. With `as-of` or `Accept-Datetime`, the response is the version that the registry had then.',
  query,
  headers: momentHeaders,
  success: {
    doc: 'The object.',
    content: readContent(whoisResources('objects')),
    headers: ['CADASTRE-Serial', 'Content-Location', 'Link', 'Memento-Datetime'],
  },
  refusals: {
    301: 'The aut-num, route or route6 is in the other part of the main source: see `/metadata/sources`.',
    404: 'The object does not exist, or did not exist then.',
    410: 'The registry has no history from that time, or the operator has erased the text of that version.',
  },
  credentials: 'optional',
  showsObjects: true,
  isCached: true,
  handler: lookUpObject,
};

/** Handles a request that missed the cache (plugins/cache.ts). */
async function lookUpObject(context: Context, request: LookupRequest, reply: FastifyReply): Promise<RouteReply> {
  const moment = requestedMoment(request);
  if (moment !== undefined) return lookUpPast(context, request, moment, reply);
  const { params, format, principal } = request;
  const { unfiltered } = request.query;
  // Text has no place for annotations.
  const isAnnotated = format !== 'text' && Object.values(requestedAnnotations(request.query)).includes(true);
  // Changes of other objects change annotations.
  const isCacheable = principal === undefined && !unfiltered && !isAnnotated;
  const name = await addressedName(context, request);
  const lookup: Lookup = {
    key: objectKeyOf(request),
    view: unfiltered ? View.VIEW_UNFILTERED : View.VIEW_FILTERED,
    withContacts: format !== 'text',
    principal,
  };
  const pending = isCacheable ? beginKeeping(context, params.source, name) : undefined;
  try {
    const found = addressedObject(context, request, await inPart(context, lookup, context.lookUp));
    const tooMany = await countIfPersonal(context, request, found);
    if (tooMany) throw tooMany;
    const annotated = isAnnotated ? await annotate(context, request, found) : undefined;
    const { found: shown, messages } = annotated ?? { found: plainFound(found) };
    const body = await objectBody(context, request, reply, [shown], { messages });
    const tag = objectTag(found, body);
    const sent = isCacheable ? await compressedOnce(context, request, body) : { content: body, coding: undefined };
    pending?.store(cacheKeyOf(request), {
      format,
      ...sent,
      entityTag: tag,
      isPersonal: isPersonal(found, context.settings.source),
    });
    return { status: 200, ...sent, entityTag: tag };
  } finally {
    pending?.end();
  }
}

/** Only what is asked for again is kept: most objects of a walk over the registry never are. */
function beginKeeping(context: Context, source: string, name: ObjectName): PendingLookup | undefined {
  context.metrics.cached(false);
  return context.recentKeys.seenRecently(name) ? context.cache.begin(source, name) : undefined;
}
