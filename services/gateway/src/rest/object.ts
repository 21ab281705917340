// /:source/:objectType, /:source/:objectType/:key

import type { Lookup, SubmittedObject } from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import { ref } from '@cadastre/rdap/schema';
import { isPersonal, objectType } from '@cadastre/rpsl';
import type { FastifyReply } from 'fastify';
import type { ObjectName, PendingLookup } from '../backends/lookup-cache.js';
import { singleObject } from '../body/whois-resources.js';
import type { Context } from '../context.js';
import { plainFound } from '../documents/render.js';
import { personExample } from '../documents/submission.js';
import { HttpError } from '../errors.js';
import { countIfPersonal } from '../limits/personal-objects.js';
import { bodyContent, readContent, whoisResources } from '../openapi/content.js';
import { parameter } from '../parameters.js';
import { cacheKeyOf, compressedOnce } from '../reply/cached-replies.js';
import { objectTag } from '../reply/etag.js';
import type { RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { Resource, Route, RouteRequest } from '../route.js';
import { annotate, annotationQuery, requestedAnnotations } from './annotations.js';
import { asOfQuery, momentHeaders, requestedMoment } from './as-of.js';
import { idempotencyKey, keyRefusals, orRunning } from './idempotency-key.js';
import { ifMatch, makeWrite } from './make-write.js';
import {
  addressedObject,
  inPart,
  type ObjectParameters,
  objectKeyOf,
  requireObjectName,
  sourceFirst,
} from './object-address.js';
import { objectBody } from './object-body.js';
import { lookUpPast } from './past-lookup.js';
import {
  bodyOf,
  repeatableSuccess,
  success,
  type WriteRequest,
  writeOptions,
  writeQuery,
  writeReply,
} from './writes.js';

type CollectionParameters = Readonly<Record<'source' | 'objectType', string>>;

const lookupQuery = {
  unfiltered: parameter.flag(
    'Shows the attributes that a filtered object omits: `e-mail`, `notify` and others that name people. Only a client that authenticates as a mntner sees its `auth`.',
  ),
  unformatted: parameter.flag('Shows values as submitted, with their spaces, line ends and comments.'),
  ...annotationQuery,
  ...asOfQuery,
};

type LookupRequest = RouteRequest<ObjectParameters, typeof lookupQuery>;

/** GET of one object. */
const objectLookup: Route<ObjectParameters, typeof lookupQuery> = {
  id: 'lookUpObject',
  tag: 'Objects',
  summary: 'Look up one object',
  doc: 'Returns the object with exactly this key; for address space, it does not look for an enclosing object. The object is filtered unless the request has `unfiltered`. A warning says so when requested annotations are not available. With `as-of` or `Accept-Datetime`, the response is the version that the registry had then.',
  query: lookupQuery,
  headers: momentHeaders,
  success: {
    doc: 'The object.',
    content: readContent(whoisResources('objects')),
    headers: ['CADASTRE-Serial', 'Content-Location', 'Link', 'Memento-Datetime'],
  },
  refusals: {
    301: 'The aut-num, route or route6 is in the other part of the main source: see `/metadata/sources`.',
    302: 'A browser opens the object as a document (`Sec-Fetch-Dest: document`), without a query: its page.',
    404: 'The object does not exist, or did not exist then.',
    410: 'The registry has no history from that time, or the operator has erased the text of that version.',
  },
  credentials: 'optional',
  showsObjects: true,
  isCached: true,
  handler: lookUpObject,
};

const deletionQuery = {
  ...writeQuery,
  reason: parameter.text('Reason for the deletion, which the history shows publicly.', {
    example: 'no longer used',
  }),
};

/** POST of a new object. */
const objectCreation: Route<CollectionParameters, typeof writeQuery> = {
  id: 'createObject',
  tag: 'Objects',
  summary: 'Create an object',
  doc: 'The response shows the object as stored, not filtered. Lookups find it immediately, searches within a few seconds. A route that ROAs make invalid gets a warning; a dry run of any route tells its ROA state, if the registry has ROAs.',
  query: writeQuery,
  headers: [idempotencyKey],
  body: { doc: 'The object.', content: bodyContent(ref('Submission'), personExample) },
  success: repeatableSuccess('The new object.'),
  refusals: {
    404: 'An object that it needs does not exist.',
    409: orRunning('The object already exists.'),
    ...keyRefusals,
  },
  credentials: 'required',
  handler: createObject,
};

/** PUT of the new state of an object. */
const objectUpdate: Route<ObjectParameters, typeof writeQuery> = {
  id: 'updateObject',
  tag: 'Objects',
  summary: 'Update an object',
  doc: 'Replaces the object with the type and key of the path. The body is its complete new state. The response shows the object as stored, not filtered.',
  query: writeQuery,
  headers: [ifMatch],
  body: { doc: 'The new state.', content: bodyContent(ref('Submission'), personExample) },
  success: success('The updated object. If the update changes nothing, a warning says so.'),
  refusals: {
    404: 'The object does not exist.',
    409: 'The update would break the integrity of the registry.',
    412: 'The object has changed since the lookup that `If-Match` names.',
  },
  credentials: 'required',
  handler: updateObject,
};

/** DELETE of an object. A body is ignored. */
const objectDeletion: Route<ObjectParameters, typeof deletionQuery> = {
  id: 'deleteObject',
  tag: 'Objects',
  summary: 'Delete an object',
  doc: 'Referenced objects cannot be deleted. The response shows the deleted object, filtered.',
  query: deletionQuery,
  headers: [ifMatch],
  success: success('The deleted object.'),
  refusals: {
    404: 'The object does not exist.',
    409: 'Other objects refer to it.',
    412: 'The object has changed since the lookup that `If-Match` names.',
  },
  credentials: 'required',
  handler: deleteObject,
};

export const objectResources: readonly Resource[] = [
  { name: 'collection', url: '/:source/:objectType', POST: objectCreation },
  { name: 'object', url: '/:source/:objectType/:key', GET: objectLookup, PUT: objectUpdate, DELETE: objectDeletion },
];

/** Handles a request that missed the cache (hooks/reply-from-cache.ts). */
async function lookUpObject(context: Context, request: LookupRequest, reply: FastifyReply): Promise<RouteReply> {
  const moment = requestedMoment(request);
  if (moment !== undefined) return lookUpPast(context, request, moment, reply);
  const { params, format, principal } = request;
  const { unfiltered } = request.query;
  // The text format has no annotations.
  const isAnnotated = format !== 'text' && Object.values(requestedAnnotations(request.query)).includes(true);
  // Changes of other objects change annotations.
  const isCacheable = principal === undefined && !unfiltered && !isAnnotated;
  const name = await requireObjectName(context, request);
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

/** Caches only repeated requests: a walk over the registry requests most objects only once. */
function beginKeeping(context: Context, source: string, name: ObjectName): PendingLookup | undefined {
  context.metrics.cached(false);
  return context.recentKeys.seenRecently(name) ? context.cache.begin(source, name) : undefined;
}

async function createObject(context: Context, request: WriteRequest<CollectionParameters>): Promise<RouteReply> {
  const { source, objectType: type } = request.params;
  await requireKnownType(context, request);
  const object = await singleOf(context, request);
  const value = { source, type, object, options: writeOptions(request) };
  return writeReply(context, request, await makeWrite(context, request, { $case: 'create', value }));
}

async function updateObject(context: Context, request: WriteRequest<ObjectParameters>): Promise<RouteReply> {
  await requireKnownType(context, request);
  const object = await singleOf(context, request);
  const value = { key: objectKeyOf(request), object, options: writeOptions(request) };
  return writeReply(context, request, await makeWrite(context, request, { $case: 'update', value }));
}

async function deleteObject(
  context: Context,
  request: RouteRequest<ObjectParameters, typeof deletionQuery>,
): Promise<RouteReply> {
  const { reason } = request.query;
  await requireKnownType(context, request);
  const value = { key: objectKeyOf(request), reason, options: writeOptions(request) };
  return writeReply(context, request, await makeWrite(context, request, { $case: 'delete', value }));
}

/** Throws an HttpError (400) that names the type of the path when that does not exist. */
function requireKnownType(context: Context, request: RouteRequest<CollectionParameters>): Promise<void> {
  const { objectType: type } = request.params;
  return sourceFirst(context, request, () => {
    if (objectType(type) === undefined) throw new HttpError(400, messages.invalidObjectType(type));
  });
}

async function singleOf(context: Context, request: WriteRequest): Promise<SubmittedObject> {
  const body = await bodyOf(context, request);
  return sourceFirst(context, request, () => singleObject(body));
}
