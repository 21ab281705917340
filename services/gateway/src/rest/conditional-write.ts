import { KeyOutcome, type StorageUse, type WriteResult } from '@cadastre/proto/objects';
import { writeCall } from '../backends/call-options.js';
import type { Context } from '../context.js';
import { HttpError, type ReplyHeaders } from '../errors.js';
import { countingUnknownAccounts } from '../limits/unknown-accounts.js';
import type { RequestHeader } from '../openapi/operation.js';
import { expectedStates } from '../reply/etag.js';
import { messages } from '../ripe-messages.js';
import type { RouteRequest } from '../route.js';
import { keyOf, type Write } from './idempotency-key.js';
import { withRoaMessages, writtenObjects } from './roa-messages.js';

/** The header of writes that must not overwrite other changes. */
export const ifMatch: RequestHeader = {
  name: 'If-Match',
  doc: 'The `ETag` of a lookup of the object, in any format and query: the write is refused (412) if the object has changed since. An update that repeats what is stored already succeeds. The tag of a response about the past is not valid here.',
  schema: { type: 'string' },
};

/** The results of a write, and the headers of their reply. */
export interface MadeWrite {
  readonly results: readonly (WriteResult | undefined)[];
  readonly headers?: ReplyHeaders;
  readonly storageToday?: StorageUse | undefined;
}

/**
 * Makes a write under the conditions of the request. Throws an HttpError for a key that is not valid for a write now.
 * The objects service of the previous release does not support conditions: it refuses the method for them, and the
 * client gets 503.
 */
export async function makeWrite(context: Context, request: RouteRequest, write: Write): Promise<MadeWrite> {
  const objects = write.$case === 'apply' ? write.value.changes.map(({ object }) => object) : [write.value.object];
  const options = { dryRun: write.value.options?.dryRun ?? false, requestId: request.id };
  return countingUnknownAccounts(context, request.limitedClient, objects, () =>
    withRoaMessages(context, writtenObjects(write), options, () => makeUnderConditions(context, request, write)),
  );
}

async function makeUnderConditions(context: Context, request: RouteRequest, write: Write): Promise<MadeWrite> {
  const states = expectedStates(request.headers['if-match']);
  const key = keyOf(request, write);
  const isPlain = states === undefined && key === undefined && !expectsStates(write);
  if (isPlain) return makeUnconditionally(context, request, write);
  const { results, keyOutcome, storageToday } = await context.writer.writeConditionally(
    { write, expected: states && { states }, key },
    writeCall(context, request),
  );
  switch (keyOutcome) {
    case KeyOutcome.KEY_OUTCOME_REPEATED:
      return { results, headers: { 'idempotent-replayed': 'true' } };
    case KeyOutcome.KEY_OUTCOME_OTHER_REQUEST:
      throw new HttpError(422, messages.keyOfOtherRequest());
    case KeyOutcome.KEY_OUTCOME_RUNNING:
      throw new HttpError(409, messages.keyInUse(), { 'retry-after': '1' });
    case KeyOutcome.KEY_OUTCOME_TOO_MANY:
      throw new HttpError(429, messages.tooManyKeys(), { 'retry-after': '60' });
    default:
      return { results, storageToday };
  }
}

/** Whether objects of a batch have their own conditions. */
function expectsStates(write: Write): boolean {
  return write.$case === 'apply' && write.value.changes.some(({ expected }) => expected !== undefined);
}

async function makeUnconditionally(
  { writer, settings }: Context,
  request: RouteRequest,
  write: Write,
): Promise<MadeWrite> {
  const call = writeCall({ settings }, request);
  switch (write.$case) {
    case 'create':
      return madeOne(await writer.createObject(write.value, call));
    case 'update':
      return madeOne(await writer.updateObject(write.value, call));
    case 'delete':
      return { results: [(await writer.deleteObject(write.value, call)).result] };
    case 'apply':
      return writer.applyChanges(write.value, call);
  }
}

function madeOne({ result, storageToday }: { result?: WriteResult; storageToday?: StorageUse }): MadeWrite {
  return { results: [result], storageToday };
}
