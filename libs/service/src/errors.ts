import { type Message, Severity } from '@cadastre/proto/registry';
import { formatMessage, type Message as ObjectMessage } from '@cadastre/rpsl/message';

export { formatMessage };

/** Kind of a failure; each boundary maps it once. */
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

/** A message about a request: template, arguments, severity (default: error). */
export function failureMessage(
  text: string,
  args: readonly (string | number | bigint)[] = [],
  severity: Severity = Severity.SEVERITY_ERROR,
): Message {
  return { severity, text, args: args.map(String) };
}

const severities = {
  error: Severity.SEVERITY_ERROR,
  warning: Severity.SEVERITY_WARNING,
  info: Severity.SEVERITY_INFO,
} as const;

/** A message of the object language, in the form of the contract. */
export function wireMessage({ severity, text, args, attribute }: ObjectMessage): Message {
  return { ...failureMessage(text, args, severities[severity]), ...(attribute && { attribute: { ...attribute } }) };
}

/** The one error that crosses boundaries. The client sees its messages; only the log shows its cause. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly messages: Message[];
  /** Whether a retry after a pause may succeed: always true if something was `unavailable`. */
  readonly waitingHelps: boolean;

  constructor(
    readonly kind: FailureKind,
    messages: Message[] | string,
    { cause, waitingHelps = false }: { cause?: unknown; waitingHelps?: boolean } = {},
  ) {
    const list = typeof messages === 'string' ? [failureMessage(messages.replaceAll('%', '%%'))] : messages;
    super(`${kind}: ${list.map(formatMessage).join('; ')}`, cause === undefined ? {} : { cause });
    this.messages = list;
    this.waitingHelps = waitingHelps || kind === 'unavailable';
  }
}

/** Node.js error codes for a peer that does not exist or has disappeared. */
const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'ERR_STREAM_DESTROYED',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
]);

/**
 * PostgreSQL states with the same meaning: the connection failed (class 08), no free connection (53300), the server
 * starts, stops or ended our session (57P01 to 57P03, 57P05, 25P03), is a standby now (25006), or was too slow (57014).
 */
const unavailableStates = /^(?:08...|53300|57P0[1-35]|25P03|25006|57014)$/;

/** Texts of the PostgreSQL client with the same meaning; it has no codes for them. */
const unavailableTexts =
  /^(?:Connection terminated|timeout e|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool)/;

/**
 * Converts any thrown value to a ServiceError. Other errors become `unavailable` if the database could not be reached,
 * else `internal`, with a text that reveals nothing.
 */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (isUnavailable(thrown))
    return new ServiceError('unavailable', 'Service temporarily unavailable', { cause: thrown });
  return new ServiceError('internal', 'Internal error', { cause: thrown });
}

/** Whether a database or other peer is temporarily unavailable. */
export function isUnavailable(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { code = '', syscall } = thrown as { code?: string; syscall?: string };
  // A Unix socket that does not exist; missing files have the same code.
  if (code === 'ENOENT') return syscall === 'connect';
  return unavailableCodes.has(code) || unavailableStates.test(code) || unavailableTexts.test(thrown.message);
}

/** The text of any thrown value, for the log. */
export function errorText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown instanceof ServiceError && thrown.cause instanceof Error) {
    return `${thrown.message} (${errorText(thrown.cause)})`;
  }
  // A refused connection to a name with several addresses has its reasons only in the inner errors.
  return thrown instanceof AggregateError && !thrown.message ? thrown.errors.map(errorText).join('; ') : thrown.message;
}
