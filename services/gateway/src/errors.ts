import { WriteOutcome } from '@cadastre/proto/objects';
import type { Message } from '@cadastre/proto/registry';
import { type FailureKind, isUnimplemented, ServiceError } from '@cadastre/service';
import { messages } from './ripe-messages.js';

/** Headers of a reply; a list makes a header several times. */
export type ReplyHeaders = Readonly<Record<string, string | string[]>>;

/** A reply other than a success. Any code that handles a request throws it. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly messages: readonly Message[];

  constructor(
    readonly status: number,
    what: Message | readonly Message[],
    readonly headers: ReplyHeaders = {},
  ) {
    // A refusal is an ordinary reply: no one reads its stack, which would cost as much as a cached lookup.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(`refused with ${status}`);
    Error.stackTraceLimit = stackTraceLimit;
    this.messages = Array.isArray(what) ? what : [what as Message];
  }
}

/** For a client that has disconnected. It receives nothing; the status is for the log. */
export function clientLeft(): HttpError {
  return new HttpError(499, []);
}

const statusOfKind: Record<FailureKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 503,
  'not-found': 404,
  conflict: 409,
  'out-of-range': 400,
  exhausted: 429,
  unavailable: 503,
  timeout: 503,
  cancelled: 503,
  unimplemented: 501,
  internal: 500,
};

const statusOfOutcome: Record<WriteOutcome, number> = {
  [WriteOutcome.WRITE_OUTCOME_CREATED]: 200,
  [WriteOutcome.WRITE_OUTCOME_MODIFIED]: 200,
  [WriteOutcome.WRITE_OUTCOME_DELETED]: 200,
  [WriteOutcome.WRITE_OUTCOME_UNCHANGED]: 200,
  [WriteOutcome.WRITE_OUTCOME_INVALID]: 400,
  [WriteOutcome.WRITE_OUTCOME_SKIPPED]: 400,
  [WriteOutcome.WRITE_OUTCOME_UNAUTHORISED]: 401,
  [WriteOutcome.WRITE_OUTCOME_NOT_FOUND]: 404,
  [WriteOutcome.WRITE_OUTCOME_STALE]: 412,
  [WriteOutcome.WRITE_OUTCOME_EXISTS]: 409,
  [WriteOutcome.WRITE_OUTCOME_REFERENCED]: 409,
  [WriteOutcome.WRITE_OUTCOME_DAY_QUOTA]: 429,
  [WriteOutcome.WRITE_OUTCOME_MNTNER_QUOTA]: 403,
  [WriteOutcome.WRITE_OUTCOME_UNSPECIFIED]: 500,
};

/** The statuses that take precedence in a group: missing authorisation precedes all other refusals (decision W5). */
const decisive: readonly number[] = [500, 401, 412, 409, 404, 403, 429, 400];

/** The status of a write, or of several writes in one transaction. */
export function statusOfOutcomes(outcomes: readonly WriteOutcome[]): number {
  const statuses = outcomes.map((outcome) => statusOfOutcome[outcome] ?? 500);
  return decisive.find((status) => statuses.includes(status)) ?? 200;
}

/** Every 401 names the ways to authenticate (RFC 9110 section 11.6.1). */
export const challenge = { 'www-authenticate': 'Basic realm="registry", charset="UTF-8", Bearer realm="registry"' };

/** The challenge where only a sign-in helps: a Basic challenge would make browsers ask for a password. */
export const sessionChallenge = { 'www-authenticate': 'Cookie realm="registry"' };

/** The error for the client: a plain 500 for anything unexpected. */
export function httpErrorOf(thrown: unknown): HttpError {
  if (thrown instanceof HttpError) return thrown;
  if (thrown instanceof ServiceError) return httpErrorOfService(isOfOtherRelease(thrown) ? notYet : thrown);
  const status = frameworkStatus(thrown) ?? rangeStatus(thrown);
  if (status !== undefined) return new HttpError(status, messages.badRequest((thrown as Error).message));
  return new HttpError(500, messages.unexpected());
}

/**
 * During an upgrade: processes of another release do not support a method, or do not let this service call it, and are
 * replaced soon. Services forbid only each other something; what a client may do is a message of the reply.
 */
function isOfOtherRelease(error: ServiceError): boolean {
  return error.kind === 'forbidden' || isUnimplemented(error);
}

const notYet = new ServiceError('unavailable', 'Service temporarily unavailable');

function httpErrorOfService(error: ServiceError): HttpError {
  const status = statusOfKind[error.kind];
  if (status === 500) return new HttpError(500, messages.unexpected());
  if (status === 401) return new HttpError(401, error.messages, challenge);
  return new HttpError(status, error.messages, status === 503 || error.waitingHelps ? { 'retry-after': '5' } : {});
}

/** The status of a request for an unavailable part of a file (RFC 9110 sections 13 and 14). */
function rangeStatus(thrown: unknown): number | undefined {
  const { name } = (thrown ?? {}) as { name?: unknown };
  if (name === 'RangeNotSatisfiableError') return 416;
  return name === 'PreconditionFailedError' ? 412 : undefined;
}

/** The status of Fastify's own errors about a request; their texts reveal no internals. */
function frameworkStatus(thrown: unknown): number | undefined {
  const { statusCode, code } = (thrown ?? {}) as { statusCode?: unknown; code?: unknown };
  const complaint = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500;
  return complaint && String(code).startsWith('FST_') ? statusCode : undefined;
}
