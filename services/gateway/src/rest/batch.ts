// /batch/:source

import { type Change, ChangeAction } from '@cadastre/proto/objects';
import { ref } from '@cadastre/rdap/schema';
import { type BodyObject, submittedObject } from '../body/whois-resources.js';
import type { Context } from '../context.js';
import { pairExample } from '../documents/submission.js';
import { challenge, HttpError } from '../errors.js';
import { bodyContent } from '../openapi/content.js';
import { parameter } from '../parameters.js';
import { expectedStates } from '../reply/etag.js';
import type { RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { Resource, Route, RouteRequest } from '../route.js';
import { idempotencyKey, keyRefusals, orRunning } from './idempotency-key.js';
import { makeWrite } from './make-write.js';
import { type SourceParameters, sourceFirst } from './object-address.js';
import { bodyOf, repeatableSuccess, writeOptions, writeQuery, writeReply } from './writes.js';

const query = {
  ...writeQuery,
  'delete-reason': parameter.text('Reason for the deletions, which the history shows publicly.', {
    example: 'no longer used',
  }),
};

/** POST of several objects to write together. */
const objectBatch: Route<SourceParameters, typeof query> = {
  id: 'writeBatch',
  tag: 'Objects',
  summary: 'Write many objects together',
  doc: 'Creates or updates up to 100 objects, or deletes those with the action `DELETE`: all of them or none. The objects may refer to each other, and each may have a condition (`if-match`, `if-none-match`). The response shows every object, the messages about all of them, and the outcome of each (`results`); its status is that of the most severe refusal.',
  query,
  headers: [idempotencyKey],
  body: { doc: 'The objects.', content: bodyContent(ref('BatchSubmission'), pairExample) },
  success: repeatableSuccess('The objects as stored; deleted ones filtered.'),
  refusals: {
    404: 'An object to delete, or one with `if-match`, does not exist.',
    409: orRunning(
      'An object to delete is referenced, one with `if-none-match` exists, or the batch would break the integrity of the registry.',
    ),
    412: 'An object has changed since the lookup that its `if-match` names.',
    ...keyRefusals,
  },
  credentials: 'required',
  handler: writeBatch,
};

export const batchResource: Resource = { name: 'batch', url: '/batch/:source', POST: objectBatch };

async function writeBatch(
  context: Context,
  request: RouteRequest<SourceParameters, typeof query>,
): Promise<RouteReply> {
  // Without a principal it looks up nothing, and does not read the body.
  if (request.principal === undefined) {
    throw new HttpError(401, messages.credentialsRequired(), { ...challenge, connection: 'close' });
  }
  const { source } = request.params;
  const reason = request.query['delete-reason'] || 'Batch Delete';
  const body = await bodyOf(context, request);
  const changes = await sourceFirst(context, request, () => {
    if (body.length === 0) throw new HttpError(400, messages.objectsExpected());
    return body.map((one) => changeOf(one, reason));
  });
  const value = { source, changes, options: writeOptions(request) };
  const made = await makeWrite(context, request, { $case: 'apply', value });
  return writeReply(context, request, made, { showsResults: true });
}

/** Characters of a condition: enough for a hundred tags. */
const maxConditionLength = 4_000;

/** Throws an HttpError (400). */
function changeOf(one: BodyObject, reason: string): Change {
  const { ifMatch = '' } = one;
  if (ifMatch.length > maxConditionLength) throw new HttpError(400, messages.conditionTooLong(maxConditionLength));
  const states = expectedStates(one.ifMatch);
  return { action: actionOf(one), object: submittedObject(one), reason, ...(states && { expected: { states } }) };
}

const actions: ReadonlySet<string> = new Set(['CREATE', 'MODIFY', 'NOOP', 'DELETE']);

/** Throws an HttpError (400). */
function actionOf({ action = 'MODIFY', ifMatch, ifNoneMatch }: BodyObject): ChangeAction {
  if (!actions.has(action)) throw new HttpError(400, messages.unknownAction(action));
  const isDeletion = action === 'DELETE';
  if (ifNoneMatch !== undefined) {
    if (ifNoneMatch.trim() !== '*' || ifMatch !== undefined || isDeletion) {
      throw new HttpError(400, messages.invalidIfNoneMatch());
    }
    return ChangeAction.CHANGE_ACTION_CREATE;
  }
  if (isDeletion) return ChangeAction.CHANGE_ACTION_DELETE;
  return ifMatch === undefined ? ChangeAction.CHANGE_ACTION_PUT : ChangeAction.CHANGE_ACTION_UPDATE;
}
