import { createHash } from 'node:crypto';
import {
  ChangeAction,
  type IdempotencyKey,
  KeyOutcome,
  type StorageUse,
  type WriteConditionallyRequest,
  type WriteResult,
} from '@cadastre/proto/objects';
import { asciiLowerCase, asciiUpperCase } from '@cadastre/rpsl';
import { writeCall } from '../backends/call-options.js';
import type { Context } from '../context.js';
import { HttpError, type ReplyHeaders } from '../errors.js';
import { countingUnknownAccounts } from '../limits/unknown-accounts.js';
import type { RequestHeader } from '../openapi/operation.js';
import { expectedStates } from '../reply/etag.js';
import { messages } from '../ripe-messages.js';
import type { RouteRequest } from '../route.js';

/** The header of writes that must not overwrite what others wrote. */
export const ifMatch: RequestHeader = {
  name: 'If-Match',
  doc: 'The `ETag` of a lookup of the object, of whatever format and query: the write is refused (412) if the object has changed since. An update that repeats what is stored already succeeds. The tag of an answer about the past is no such tag.',
  schema: { type: 'string' },
};

/** The header of writes that may be repeated. */
export const idempotencyKey: RequestHeader = {
  name: 'Idempotency-Key',
  doc: 'A name of the caller for this request, such as a UUID: 1 to 255 printable ASCII characters, in quotes or without (draft-ietf-httpapi-idempotency-key-header). A repetition of the request within a day gets the first result again, with `Idempotent-Replayed`, and stores nothing; another request with the key is refused (422). A refused request and a dry run do not take the key. Needs an account: a session, an API key or a token.',
  schema: { type: 'string' },
};

/** The refusals of a write that may be repeated, for the description of the interface. */
export const keyRefusals = {
  422: 'Another request has the key of `Idempotency-Key`.',
} as const;

/** Adds to the description of 409 what an idempotency key adds. */
export function orRunning(doc: string): string {
  return `${doc} Or: a request with the same \`Idempotency-Key\` is still running.`;
}

type Write = NonNullable<WriteConditionallyRequest['write']>;

/** The results of a write, and the headers of their reply. */
export interface MadeWrite {
  readonly results: readonly (WriteResult | undefined)[];
  readonly headers?: ReplyHeaders;
  readonly storageToday?: StorageUse | undefined;
}

/**
 * Makes a write under the conditions of the request. Throws an HttpError for a key that is good for no write now. The
 * objects service of the release before does not know conditions: it refuses the method for them, and the client gets 503.
 */
export async function makeWrite(context: Context, request: RouteRequest, write: Write): Promise<MadeWrite> {
  const objects = write.$case === 'apply' ? write.value.changes.map(({ object }) => object) : [write.value.object];
  return countingUnknownAccounts(context, request.limitedClient, objects, () =>
    makeUnderConditions(context, request, write),
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

/** Whether objects of a batch have conditions of their own. */
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

const longestKey = 255;

/**
 * The idempotency key of a request: a string of RFC 9651, as the draft has it, or the same without quotes, as many clients
 * send it. Undefined without one, for methods that are idempotent by themselves, and for an anonymous client, whose write
 * is refused. Throws an HttpError (400) for a key that is none, and for a caller without an account.
 */
function keyOf({ headers, principal, facts, params }: RouteRequest, write: Write): IdempotencyKey | undefined {
  const sent = headers['idempotency-key'];
  const isRepeatable = write.$case === 'create' || write.$case === 'apply';
  if (sent === undefined || principal === undefined || !isRepeatable) return undefined;
  const [, quoted, bare] = /^(?:"((?:[ !#-[\]-~]|\\["\\])+)"|([!#-+\--~]+))$/.exec(String(sent).trim()) ?? [];
  const key = quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '';
  if (key === '' || key.length > longestKey) throw new HttpError(400, messages.invalidKeyHeader(longestKey));
  if (principal.accountId === '') throw new HttpError(400, messages.keyWithoutAccount());
  if (write.value.options?.dryRun) return undefined;
  return { key, request: requestHash(facts.name, params, write) };
}

/**
 * A hash of what the client wants, in whatever format it says so: not of what this gateway found out about it, nor of
 * conditions, which hold for the first request.
 */
function requestHash(route: string, params: RouteRequest['params'], write: Write): Buffer {
  const { source = '', objectType = '' } = params;
  const wanted =
    write.$case === 'apply'
      ? write.value.changes.map(({ action, object, reason }) => {
          const isDeletion = action === ChangeAction.CHANGE_ACTION_DELETE;
          return isDeletion ? [object?.attributes, reason] : [object?.attributes];
        })
      : write.$case === 'create' && write.value.object?.attributes;
  const text = JSON.stringify([route, asciiUpperCase(source), asciiLowerCase(objectType), wanted]);
  return createHash('sha256').update(text).digest();
}
