import { type Change, ChangeAction, LookupStatus } from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import { attributeType, objectType, primaryKey } from '@cadastre/rpsl';
import { type BodyObject, submittedObject } from '../body/whois-resources.js';
import type { Context } from '../context.js';
import { challenge, HttpError } from '../errors.js';
import { messages } from '../messages.js';
import { bodyContent } from '../openapi/content.js';
import { parameter } from '../plugins/parameters.js';
import type { RouteReply } from '../plugins/reply.js';
import { pairExample } from '../schemas/examples.js';
import { ref } from '../schemas/schema.js';
import { idempotencyKey, keyRefusals, makeWrite, orRunning } from './conditional-write.js';
import { type SourceParameters, sourceFirst } from './object-address.js';
import { bodyOf, repeatableSuccess, writeOptions, writeQuery, writeReply } from './object-writes.js';
import type { Resource, Route, RouteRequest } from './route.js';

const query = {
  ...writeQuery,
  'delete-reason': parameter.text('Reason for the deletions, which the history shows to everybody.', {
    example: 'no longer used',
  }),
};

/** POST of many objects that are written together. */
const objectBatch: Route<SourceParameters, typeof query> = {
  id: 'writeBatch',
  tag: 'Objects',
  summary: 'Write many objects together',
  doc: 'Creates or updates up to 100 objects, or deletes those with the action `DELETE`: all of them or none. The objects may refer to each other. The response shows every object, and the messages about all of them; its status is that of the gravest refusal.',
  query,
  headers: [idempotencyKey],
  body: { doc: 'The objects.', content: bodyContent(ref('BatchSubmission'), pairExample) },
  success: repeatableSuccess('The objects as stored; deleted ones filtered.'),
  refusals: {
    404: 'An object to delete does not exist.',
    409: orRunning('An object to delete is referenced, or the batch would break the integrity of the registry.'),
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
  // Without it nothing is looked up, and the body is not read.
  if (request.principal === undefined) {
    throw new HttpError(401, messages.credentialsRequired(), { ...challenge, connection: 'close' });
  }
  const { source } = request.params;
  const reason = request.query['delete-reason'] || 'Batch Delete';
  const body = await bodyOf(context, request);
  const changes = await sourceFirst(context, request, () => {
    if (body.length === 0) throw new HttpError(400, messages.objectsExpected());
    return body.map((one) => ({ isDeletion: isDeletion(one), object: submittedObject(one), reason }));
  });
  const actions = await Promise.all(
    changes.map(async ({ isDeletion, object }) => {
      if (isDeletion) return ChangeAction.CHANGE_ACTION_DELETE;
      const exists = await isStored(context, source, object.attributes);
      return exists ? ChangeAction.CHANGE_ACTION_UPDATE : ChangeAction.CHANGE_ACTION_CREATE;
    }),
  );
  const value = {
    source,
    changes: changes.map(({ object, reason }, at): Change => ({ action: actions[at]!, object, reason })),
    options: writeOptions(request),
  };
  return writeReply(context, request, await makeWrite(context, request, { $case: 'apply', value }));
}

const actions: ReadonlySet<string> = new Set(['CREATE', 'MODIFY', 'NOOP', 'DELETE']);

/** Whether an object is to be deleted; any other action creates or updates it. Throws an HttpError (400). */
function isDeletion({ action = 'MODIFY' }: BodyObject): boolean {
  if (!actions.has(action)) throw new HttpError(400, messages.unknownAction(action));
  return action === 'DELETE';
}

/** Whether there is an object with the key of these attributes. The objects service judges what has no key. */
async function isStored(
  { lookUp }: Context,
  source: string,
  submitted: readonly { readonly name: string; readonly value: string }[],
): Promise<boolean> {
  const type = objectType(submitted[0]?.name ?? '')?.name;
  if (type === undefined) return false;
  const attributes = submitted.map(({ name, value }) => ({
    name: attributeType(name)?.name ?? name.toLowerCase(),
    raw: value,
  }));
  const key = primaryKey({ type, attributes });
  if ('messages' in key) return false;
  const { status } = await lookUp({
    key: { source, type, key: key.shown },
    view: View.VIEW_FILTERED,
    withContacts: false,
  });
  return status === LookupStatus.LOOKUP_STATUS_FOUND;
}
