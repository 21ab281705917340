import { type Message, Severity } from '@cadastre/proto/registry';

/** What kind of failure it is; each boundary maps it once. */
export type FailureKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'out-of-range'
  | 'exhausted'
  | 'unavailable'
  | 'timeout'
  | 'unimplemented'
  | 'cancelled'
  | 'internal';

/** A message about a request: template, arguments, severity (error unless told). */
export function failureMessage(
  text: string,
  args: readonly string[] = [],
  severity: Severity = Severity.SEVERITY_ERROR,
): Message {
  return { severity, text, args: [...args] };
}

/** The one error that crosses boundaries. Its messages are shown to whoever asked; its cause is only logged. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly messages: Message[];

  constructor(
    readonly kind: FailureKind,
    messages: Message[] | string,
    options?: { cause?: unknown },
  ) {
    const list = typeof messages === 'string' ? [failureMessage(messages.replaceAll('%', '%%'))] : messages;
    super(`${kind}: ${list.map(formatMessage).join('; ')}`, options);
    this.messages = list;
  }
}

/** The sentence of a message: its template with the arguments put in. */
export function formatMessage(message: Message): string {
  let next = 0;
  return message.text.replace(/%[sd%]/g, (mark) => (mark === '%%' ? '%' : (message.args[next++] ?? mark)));
}

/** Codes of Node.js and PostgreSQL that say: what we need is not there, or is just starting or ending. */
const awayCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', '57P01', '57P03']);

/** The same in the words of the PostgreSQL client, which has no codes for it. */
const awayTexts = /^(Connection terminated|timeout exceeded when trying to connect)/;

/**
 * Any thrown value as a ServiceError. What is not one becomes `unavailable` if a database could not be reached, else
 * `internal`, with a text that tells nothing.
 */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (isAway(thrown)) return new ServiceError('unavailable', 'Service temporarily unavailable', { cause: thrown });
  return new ServiceError('internal', 'Internal error', { cause: thrown });
}

function isAway(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  return awayCodes.has((thrown as { code?: string }).code ?? '') || awayTexts.test(thrown.message);
}

/** The text of any thrown value, for the log. */
export function errorText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  // A refused connection to a name with several addresses says why only inside.
  return thrown instanceof AggregateError && !thrown.message ? thrown.errors.map(errorText).join('; ') : thrown.message;
}
