import type { WriteConditionallyRequest, WriteResult } from '@cadastre/proto/objects';
import { writeCall } from '../backends/call-options.js';
import type { Context } from '../context.js';
import type { RequestHeader } from '../openapi/operation.js';
import { expectedStates } from '../plugins/etag.js';
import type { RouteRequest } from './route.js';

/** The header of writes that must not overwrite what others wrote. */
export const ifMatch: RequestHeader = {
  name: 'If-Match',
  doc: 'The `ETag` of a lookup of the object, of whatever format and query: the write is refused (412) if the object has changed since. An update that repeats what is stored already succeeds. The tag of an answer about the past is no such tag.',
  schema: { type: 'string' },
};

type Write = NonNullable<WriteConditionallyRequest['write']>;

/**
 * Makes a write under the condition of the request. The objects service of the release before does not know conditions:
 * it refuses the method for them, and the client gets 503.
 */
export async function makeWrite(
  context: Context,
  request: RouteRequest,
  write: Write,
): Promise<readonly (WriteResult | undefined)[]> {
  const states = expectedStates(request.headers['if-match']);
  if (states === undefined) return makeUnconditionally(context, request, write);
  const { results } = await context.writer.writeConditionally(
    { write, expected: { states } },
    writeCall(context, request),
  );
  return results;
}

async function makeUnconditionally({ writer, settings }: Context, request: RouteRequest, write: Write) {
  const call = writeCall({ settings }, request);
  switch (write.$case) {
    case 'create':
      return [(await writer.createObject(write.value, call)).result];
    case 'update':
      return [(await writer.updateObject(write.value, call)).result];
    case 'delete':
      return [(await writer.deleteObject(write.value, call)).result];
    case 'apply':
      return (await writer.applyChanges(write.value, call)).results;
  }
}
