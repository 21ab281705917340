import type { LimitedClient } from '@cadastre/limits';
import {
  KeyOutcome,
  type StorageUse,
  type WriteRequest,
  type WriteResponse,
  type WriteResult,
} from '@cadastre/proto/objects';
import type { Context } from '../context.js';
import { HttpError, type ReplyHeaders } from '../errors.js';
import { countingUnknownAccounts } from '../limits/unknown-accounts.js';
import type { RequestHeader } from '../openapi/operation.js';
import { expectedStates } from '../reply/etag.js';
import { messages } from '../ripe-messages.js';
import type { RouteRequest } from '../route.js';
import { keyOf, type Write } from './idempotency-key.js';
import { withRoaMessages } from './roa-messages.js';

/** The header of writes that must not overwrite other changes. */
export const ifMatch: RequestHeader = {
  name: 'If-Match',
  doc: 'The `ETag` of a lookup of the object, in any format and query: the write is refused (412) if the object has changed since. An update that repeats what is stored already succeeds. The tag of a response about the past is not valid here.',
  schema: { type: 'string' },
};

/** The results of a write, and the headers of their reply. */
export interface MadeWrite {
  readonly results: readonly WriteResult[];
  readonly headers?: ReplyHeaders;
  readonly storageToday?: StorageUse | undefined;
}

/**
 * Makes a write, under the conditions of the request if it has any. Throws an HttpError for a key that is not valid for
 * a write now.
 */
export async function makeWrite(context: Context, request: RouteRequest, write: Write): Promise<MadeWrite> {
  const states = expectedStates(request.headers['if-match']);
  const { results, keyOutcome, storageToday } = await sendWrite(
    context,
    { write, expected: states && { states }, key: keyOf(request, write) },
    { client: request.limitedClient, requestId: request.id },
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

/** Makes a write, counts the unknown accounts that it names, and adds what ROAs say about its routes. */
export function sendWrite(
  context: Context,
  request: WriteRequest & { readonly write: Write },
  { client, requestId }: { readonly client: LimitedClient; readonly requestId: string },
): Promise<WriteResponse> {
  const { write } = request;
  const call = { deadlineMs: context.settings.deadlines.write, requestId };
  const objects = write.$case === 'apply' ? write.value.changes.map(({ object }) => object) : [write.value.object];
  return countingUnknownAccounts(context, client, objects, () =>
    withRoaMessages(context, write, requestId, () => context.writer.write(request, call)),
  );
}
