// /references/:source

import { ChangeAction, type SubmittedObject } from '@cadastre/proto/objects';
import { ref } from '@cadastre/rdap/schema';
import { objectType } from '@cadastre/rpsl';
import { type BodyObjects, plainObject } from '../body/whois-resources.js';
import type { Context } from '../context.js';
import { pairExample } from '../documents/submission.js';
import { HttpError } from '../errors.js';
import { bodyContent } from '../openapi/content.js';
import type { RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { Resource, Route } from '../route.js';
import { idempotencyKey, keyRefusals, orRunning } from './idempotency-key.js';
import { makeWrite } from './make-write.js';
import { type SourceParameters, sourceFirst } from './object-address.js';
import { bodyOf, repeatableSuccess, type WriteRequest, writeOptions, writeQuery, writeReply } from './writes.js';

/** POST of a mntner and its person or role, which refer to each other. */
const pairCreation: Route<SourceParameters, typeof writeQuery> = {
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

export const referencesResource: Resource = { name: 'references', url: '/references/:source', POST: pairCreation };

async function createPair(context: Context, request: WriteRequest): Promise<RouteReply> {
  const body = await bodyOf(context, request);
  const objects = await sourceFirst(context, request, () => pairOf(body));
  const action = ChangeAction.CHANGE_ACTION_CREATE;
  const changes = objects.map((object) => ({ action, object, reason: '' }));
  const value = { source: request.params.source, changes, options: writeOptions(request) };
  return writeReply(context, request, await makeWrite(context, request, { $case: 'apply', value }));
}

function pairOf(objects: BodyObjects): SubmittedObject[] {
  const types = objects.map(({ attributes }) => objectType(attributes[0]?.name?.trim() ?? '')?.name);
  const isPair = types.length === 2 && types.includes('mntner') && (types.includes('person') || types.includes('role'));
  if (!isPair) throw new HttpError(400, messages.pairExpected());
  return objects.map(plainObject);
}
