import { WriteOutcome } from '@cadastre/proto/objects';
import type { Message } from '@cadastre/proto/registry';
import { type FailureKind, ServiceError } from '@cadastre/service';
import { messages } from './messages.js';

/** Headers of an answer; a list makes a header several times. */
export type AnswerHeaders = Readonly<Record<string, string | string[]>>;

/** An answer that is no success, thrown from wherever it is found out. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly messages: readonly Message[];

  constructor(
    readonly status: number,
    what: Message | readonly Message[],
    readonly headers: AnswerHeaders = {},
  ) {
    super(`refused with ${status}`);
    this.messages = Array.isArray(what) ? what : [what as Message];
  }
}

const statusOfKind: Record<FailureKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
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
  [WriteOutcome.WRITE_OUTCOME_EXISTS]: 409,
  [WriteOutcome.WRITE_OUTCOME_REFERENCED]: 409,
  [WriteOutcome.WRITE_OUTCOME_UNSPECIFIED]: 500,
};

/** Which of several outcomes decides a group's status: want of authority before everything else (decision W5). */
const decisive: readonly number[] = [500, 401, 409, 404, 400];

/** The status of a write, or of a group of writes that went in together. */
export function statusOfOutcomes(outcomes: readonly WriteOutcome[]): number {
  const statuses = outcomes.map((outcome) => statusOfOutcome[outcome] ?? 500);
  return decisive.find((status) => statuses.includes(status)) ?? 200;
}

/** RFC 9110 section 11.6.1: every 401 tells how to authenticate. */
export const challenge = { 'www-authenticate': 'Basic realm="registry", charset="UTF-8", Bearer realm="registry"' };

/** The same where only a sign-in helps: browsers answer a Basic challenge by asking for a password. */
export const sessionChallenge = { 'www-authenticate': 'Cookie realm="registry"' };

/** Anything thrown as the refusal that goes to the client; what is not meant for it becomes a bare 500. */
export function refusalOf(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown;
  if (thrown instanceof ServiceError) return refusalOfService(thrown);
  const status = frameworkStatus(thrown);
  if (status !== undefined) return new Refusal(status, messages.badRequest((thrown as Error).message));
  return new Refusal(500, messages.unexpected());
}

function refusalOfService(error: ServiceError): Refusal {
  const status = statusOfKind[error.kind];
  if (status === 500) return new Refusal(500, messages.unexpected());
  if (status === 401) return new Refusal(401, error.messages, challenge);
  return new Refusal(status, error.messages, status === 503 ? { 'retry-after': '5' } : {});
}

/** The HTTP framework's own complaints about a request; its texts are stable and tell no internals. */
function frameworkStatus(thrown: unknown): number | undefined {
  const { statusCode, code } = (thrown ?? {}) as { statusCode?: unknown; code?: unknown };
  const complaint = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500;
  return complaint && String(code).startsWith('FST_') ? statusCode : undefined;
}
