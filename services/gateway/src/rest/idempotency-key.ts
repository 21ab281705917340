import { createHash } from 'node:crypto';
import { ChangeAction, type IdempotencyKey, type WriteRequest } from '@cadastre/proto/objects';
import { asciiLowerCase, asciiUpperCase } from '@cadastre/rpsl';
import { HttpError } from '../errors.js';
import type { RequestHeader } from '../openapi/operation.js';
import { messages } from '../ripe-messages.js';
import type { RouteRequest } from '../route.js';

/** The header that allows repeating a write. */
export const idempotencyKey: RequestHeader = {
  name: 'Idempotency-Key',
  doc: 'A name of the caller for this request, such as a UUID: 1 to 255 printable ASCII characters, in quotes or without (draft-ietf-httpapi-idempotency-key-header). A repetition of the request within a day gets the first result again, with `Idempotent-Replayed`, and stores nothing; another request with the key is refused (422). A refused request and a dry run do not use the key. Needs an account: a session, an API key or a token.',
  schema: { type: 'string' },
};

/** The refusals because of an idempotency key, for the description of the interface. */
export const keyRefusals = {
  422: 'Another request has the key of `Idempotency-Key`.',
} as const;

/** Adds the reasons of an idempotency key to the description of 409. */
export function orRunning(doc: string): string {
  return `${doc} Or: a request with the same \`Idempotency-Key\` is still running.`;
}

/** A write, as in the request to the objects service. */
export type Write = NonNullable<WriteRequest['write']>;

const maxKeyLength = 255;

/**
 * The idempotency key of a request: a string of RFC 9651, as in the draft, or the same without quotes, which many
 * clients send. Undefined without one, for methods that are idempotent by themselves, and for an anonymous client,
 * whose write is refused. Throws an HttpError (400) for an invalid key, and for a caller without an account.
 */
export function keyOf({ headers, principal, facts, params }: RouteRequest, write: Write): IdempotencyKey | undefined {
  const sent = headers['idempotency-key'];
  const isRepeatable = write.$case === 'create' || write.$case === 'apply';
  if (sent === undefined || principal === undefined || !isRepeatable) return undefined;
  const [, quoted, bare] = /^(?:"((?:[ !#-[\]-~]|\\["\\])+)"|([!#-+\--~]+))$/.exec(String(sent).trim()) ?? [];
  const key = quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '';
  if (key === '' || key.length > maxKeyLength) throw new HttpError(400, messages.invalidKeyHeader(maxKeyLength));
  if (principal.accountId === '') throw new HttpError(400, messages.keyWithoutAccount());
  if (write.value.options?.dryRun) return undefined;
  return { key, request: requestHash(facts.name, params, write) };
}

/**
 * A hash of the content of a request in any format: without the results of this gateway's checks, and without
 * conditions, which apply to the first request.
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
