import { type ObjectEntry, objectEntry } from '@cadastre/documents';
import { type WriteOptions, WriteOutcome, type WriteResult } from '@cadastre/proto/objects';
import type { Message } from '@cadastre/proto/registry';
import { invalidateWritten } from '../backends/lookup-cache.js';
import { anonymousObjectBytes } from '../body/budget.js';
import { readContentType } from '../body/content-type.js';
import { readWhoisResources } from '../body/read.js';
import type { BodyObjects } from '../body/whois-resources.js';
import type { Context } from '../context.js';
import type { ResultEntry } from '../documents/whois-resources.js';
import { nameOfOutcome } from '../documents/whois-resources-schema.js';
import { challenge, HttpError, statusOfOutcomes } from '../errors.js';
import { countQuotaRefusals } from '../limits/exceeded.js';
import { whoisResources, writeContent } from '../openapi/content.js';
import type { Operation } from '../openapi/operation.js';
import { parameter } from '../parameters.js';
import { storageLeft } from '../reply/limit-headers.js';
import type { RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { RouteRequest } from '../route.js';
import type { MadeWrite } from './make-write.js';
import type { SourceParameters } from './object-address.js';

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

/** The response to a successful write. */
export function success(doc: string): Operation['success'] {
  return { doc, content: writeContent(whoisResources('objects')), headers: ['CADASTRE-Serial'] };
}

/** `success` of a write with an idempotency key. */
export function repeatableSuccess(doc: string): Operation['success'] {
  return { ...success(doc), headers: ['CADASTRE-Serial', 'Idempotent-Replayed'] };
}

/** The rest of the body remains unread, so the connection cannot be reused. */
const unreadChallenge = { ...challenge, connection: 'close' };

export type WriteRequest<P extends SourceParameters = SourceParameters> = RouteRequest<P, typeof writeQuery>;

export function writeOptions({ query, principal, client }: WriteRequest): WriteOptions {
  return { principal, dryRun: query['dry-run'], clientAddress: client.address };
}

/**
 * Reads the body. Reads an anonymous body only if its Content-Length is small: the objects service refuses the write
 * and names the maintainers that could authorise it (decision W5).
 */
export function bodyOf({ settings }: Context, request: WriteRequest): Promise<BodyObjects> {
  readContentType(request.headers['content-type']);
  const isSmall = Number(request.headers['content-length']) <= anonymousObjectBytes;
  if (request.principal === undefined && !isSmall)
    throw new HttpError(401, messages.credentialsRequired(), unreadChallenge);
  return readWhoisResources(request, {
    objects: settings.bodyObjects,
    attributes: settings.bodyAttributes,
    depth: settings.bodyDepth,
  });
}

/**
 * The reply to the writes of one transaction. First removes the written objects from the cache. With `showsResults` it
 * has the outcome of each object.
 */
export function writeReply(
  context: Context,
  request: WriteRequest,
  { results, headers, storageToday }: MadeWrite,
  { showsResults = false } = {},
): RouteReply {
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
