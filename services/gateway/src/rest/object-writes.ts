import { type ObjectEntry, objectEntry } from '@cadastre/documents';
import {
  ChangeAction,
  type SubmittedObject,
  type WriteOptions,
  WriteOutcome,
  type WriteResult,
} from '@cadastre/proto/objects';
import type { Message } from '@cadastre/proto/registry';
import { objectType } from '@cadastre/rpsl';
import { invalidateWritten } from '../backends/lookup-cache.js';
import { anonymousObjectBytes } from '../body/budget.js';
import { readContentType } from '../body/content-type.js';
import { readWhoisResources } from '../body/read.js';
import { type BodyObjects, plainObject, singleObject } from '../body/whois-resources.js';
import type { Context } from '../context.js';
import { ref } from '../documents/schema.js';
import { pairExample, personExample } from '../documents/submission.js';
import { nameOfOutcome, type ResultEntry } from '../documents/whois-resources.js';
import { challenge, HttpError, statusOfOutcomes } from '../errors.js';
import { countQuotaRefusals } from '../limits/check.js';
import { bodyContent, whoisResources, writeContent } from '../openapi/content.js';
import type { Operation } from '../openapi/operation.js';
import { parameter } from '../parameters.js';
import { storageLeft } from '../reply/limit-headers.js';
import type { RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { Route, RouteRequest } from '../route.js';
import { idempotencyKey, ifMatch, keyRefusals, type MadeWrite, makeWrite, orRunning } from './conditional-write.js';
import { type ObjectParameters, objectKeyOf, type SourceParameters, sourceFirst } from './object-address.js';

type CollectionParameters = Readonly<Record<'source' | 'objectType', string>>;

/** The query parameters of writes. */
export const writeQuery = {
  'dry-run': parameter.flag(
    'Shows the result of the write without storing anything. A value that is not a flag is refused.',
  ),
  unformatted: parameter.flag('Shows values as submitted, with their spaces, line ends and comments.'),
  unfiltered: parameter.flag(
    'Changes nothing: responses show written objects unfiltered and deleted ones filtered. Clients send it with every request.',
  ),
};
const deletionQuery = {
  ...writeQuery,
  reason: parameter.text('Reason for the deletion, which the history shows to everybody.', {
    example: 'no longer used',
  }),
};

function success(doc: string): Operation['success'] {
  return { doc, content: writeContent(whoisResources('objects')), headers: ['CADASTRE-Serial'] };
}

/** `success` of a write that may be repeated. */
export function repeatableSuccess(doc: string): Operation['success'] {
  return { ...success(doc), headers: ['CADASTRE-Serial', 'Idempotent-Replayed'] };
}

/** POST of a new object. */
export const objectCreation: Route<CollectionParameters, typeof writeQuery> = {
  id: 'createObject',
  tag: 'Objects',
  summary: 'Create an object',
  doc: 'The response shows the object as stored, not filtered. Lookups find it immediately, searches within a few seconds.',
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

/** PUT of an object's new state. */
export const objectUpdate: Route<ObjectParameters, typeof writeQuery> = {
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
export const objectDeletion: Route<ObjectParameters, typeof deletionQuery> = {
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

/** POST of a mntner and its person or role, which refer to each other. */
export const pairCreation: Route<SourceParameters, typeof writeQuery> = {
  id: 'createPair',
  tag: 'Objects',
  summary: 'Create a mntner with its person or role',
  doc: 'A mntner refers to a contact, and a contact refers to a mntner. This request creates both or neither.',
  query: writeQuery,
  headers: [idempotencyKey],
  body: { doc: 'The two objects.', content: bodyContent(ref('PairSubmission'), pairExample) },
  success: repeatableSuccess('The new objects.'),
  refusals: {
    404: 'An object that they need does not exist.',
    409: orRunning('One of them already exists.'),
    ...keyRefusals,
  },
  credentials: 'required',
  handler: createPair,
};

/** The rest of the body is not read, so the connection cannot be reused. */
const unreadChallenge = { ...challenge, connection: 'close' };

export type WriteRequest<P extends SourceParameters = SourceParameters> = RouteRequest<P, typeof writeQuery>;

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

async function createPair(context: Context, request: WriteRequest): Promise<RouteReply> {
  const body = await bodyOf(context, request);
  const objects = await sourceFirst(context, request, () => pairOf(body));
  const action = ChangeAction.CHANGE_ACTION_CREATE;
  const changes = objects.map((object) => ({ action, object, reason: '' }));
  const value = { source: request.params.source, changes, options: writeOptions(request) };
  return writeReply(context, request, await makeWrite(context, request, { $case: 'apply', value }));
}

/** Throws an HttpError (400) that names the type of the path when there is no such type. */
function requireKnownType(context: Context, request: RouteRequest<CollectionParameters>): Promise<void> {
  const { objectType: type } = request.params;
  return sourceFirst(context, request, () => {
    if (objectType(type) === undefined) throw new HttpError(400, messages.invalidObjectType(type));
  });
}

export function writeOptions({ query, principal, client }: WriteRequest): WriteOptions {
  return { principal, dryRun: query['dry-run'], clientAddress: client.address };
}

/**
 * Reads the body. An anonymous body is read only if its Content-Length is small: the objects service refuses the write
 * and names the maintainers that could authorise it (decision W5).
 */
export function bodyOf({ settings }: Context, request: WriteRequest): Promise<BodyObjects> {
  readContentType(request.headers['content-type']);
  const isSmall = Number(request.headers['content-length']) <= anonymousObjectBytes;
  if (request.principal === undefined && !isSmall)
    throw new HttpError(401, messages.credentialsRequired(), unreadChallenge);
  return readWhoisResources(request.raw, request.headers, request.bodyAllowance, {
    objects: settings.bodyObjects,
    attributes: settings.bodyAttributes,
    depth: settings.bodyDepth,
  });
}

async function singleOf(context: Context, request: WriteRequest): Promise<SubmittedObject> {
  const body = await bodyOf(context, request);
  return sourceFirst(context, request, () => singleObject(body));
}

function pairOf(objects: BodyObjects): SubmittedObject[] {
  const types = objects.map(({ attributes }) => objectType(attributes[0]?.name?.trim() ?? '')?.name);
  const isPair = types.length === 2 && types.includes('mntner') && (types.includes('person') || types.includes('role'));
  if (!isPair) throw new HttpError(400, messages.pairExpected());
  return objects.map(plainObject);
}

/**
 * The reply to the writes of one transaction. First removes what they stored from the cache. With `showsResults` it tells
 * what became of each object.
 */
export function writeReply(
  context: Context,
  request: WriteRequest,
  { results: answered, headers, storageToday }: MadeWrite,
  { showsResults = false } = {},
): RouteReply {
  const results = answered.filter((result) => result !== undefined);
  if (results.length === 0) throw new HttpError(500, messages.unexpected());
  // Serials ascend; a write that stored nothing has 0.
  const serial = results.map((result) => result.serial).findLast((one) => one > 0n) ?? 0n;
  if (serial > 0n) invalidateWritten(context.cache, results);
  const outcomes = results.map((result) => result.outcome);
  const status = statusOfOutcomes(outcomes);
  countQuotaRefusals(context, outcomes);
  request.storageToday = storageToday;
  const { link, base, query, notices } = request;
  const view = { base, unformatted: query.unformatted };
  const entries = results.map(({ object }) => object && objectEntry(object, view));
  const shown = entries.filter((entry) => entry !== undefined);
  return {
    status,
    headers: {
      ...(serial > 0n ? { 'cadastre-serial': String(serial) } : {}),
      ...(status === 401 ? challenge : {}),
      ...(status === 429 && storageToday ? { 'retry-after': String(storageLeft(storageToday).seconds) } : {}),
      ...headers,
    },
    content: {
      head: { link },
      objects: shown,
      messages: inOrder([...results.flatMap((result) => result.messages), ...notices], results),
      tail: { terms: context.settings.termsUrl, ...(showsResults && { results: resultEntries(results, entries) }) },
    },
  };
}

function resultEntries(results: readonly WriteResult[], entries: readonly (ObjectEntry | undefined)[]): ResultEntry[] {
  let shown = 0;
  return results.map(({ outcome, messages }, at) => ({
    outcome: nameOfOutcome(outcome),
    ...(entries[at] && { object: ++shown }),
    messages,
  }));
}

/** Errors, then warnings, then infos. NOT_FOUND without a message gets one. */
function inOrder(list: readonly Message[], results: readonly WriteResult[]): Message[] {
  const notFound = results.some((result) => result.outcome === WriteOutcome.WRITE_OUTCOME_NOT_FOUND);
  const all = notFound && list.length === 0 ? [messages.notFound()] : [...list];
  return all.sort((a, b) => a.severity - b.severity);
}
