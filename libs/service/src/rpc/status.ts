import type { ItemFailure } from '@cadastre/proto/registry';
import { Metadata, status } from '@grpc/grpc-js';
import { errorText, type FailureKind, failureMessage, formatMessage, ServiceError, toServiceError } from '../errors.js';
import { decodeDetails, detailsKey, encodeDetails } from './status-details.js';
import type { Call } from './types.js';

const codeOfKind: Record<FailureKind, status> = {
  invalid: status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  'not-found': status.NOT_FOUND,
  conflict: status.ABORTED,
  'out-of-range': status.OUT_OF_RANGE,
  exhausted: status.RESOURCE_EXHAUSTED,
  unavailable: status.UNAVAILABLE,
  timeout: status.DEADLINE_EXCEEDED,
  unimplemented: status.UNIMPLEMENTED,
  cancelled: status.CANCELLED,
  internal: status.INTERNAL,
};

const kindOfCode = new Map<number, FailureKind>([
  ...Object.entries(codeOfKind).map(([kind, code]): [number, FailureKind] => [code, kind as FailureKind]),
  [status.ALREADY_EXISTS, 'conflict'],
  [status.FAILED_PRECONDITION, 'conflict'],
]);

/** Texts for codes that grpc-js or a proxy set; their own texts may reveal addresses. */
const textOfKind: Partial<Record<FailureKind, string>> = {
  unavailable: 'Service temporarily unavailable',
  timeout: 'The request took too long',
  cancelled: 'The request was cancelled',
  exhausted: 'Too much was asked for at once',
  unimplemented: 'Not implemented',
  internal: 'Internal error',
};

/** The text beside the code is a header, in which a byte may take three. */
const maxTextBytes = 500;

/** How a failed call ends on the wire. */
export interface FailedStatus {
  code: status;
  details: string;
  metadata: Metadata;
}

/** Converts any thrown value to the failure of an item of a batch; an internal one never reveals its reason. */
export function failureOf(thrown: unknown): ItemFailure {
  const { kind, messages } = toServiceError(thrown);
  return { code: codeOfKind[kind], messages: kind === 'internal' ? [failureMessage('Internal error')] : messages };
}

/** Restores the error of a failure as the other side threw it. */
export function errorOfFailure({ code, messages }: ItemFailure): ServiceError {
  return new ServiceError(kindOfCode.get(code) ?? 'internal', messages);
}

/** Converts any thrown value to a gRPC status; an internal failure never reveals its reason. */
export function statusOf(thrown: unknown, requestId: string): FailedStatus {
  const error = toServiceError(thrown);
  const { code, messages } = failureOf(error);
  const details = shortened(textOf(messages));
  const metadata = new Metadata();
  metadata.set(detailsKey, encodeDetails({ code, details }, error, messages, requestId));
  return { code, details, metadata };
}

function textOf(messages: ItemFailure['messages']): string {
  return messages.map(formatMessage).join('; ');
}

/** Also replaces unpaired surrogates: grpc-js throws on them. */
function shortened(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxTextBytes) return bytes.toString();
  return `${new TextDecoder().decode(bytes.subarray(0, maxTextBytes), { stream: true })}...`;
}

/**
 * Restores the error of a failed call as the other side threw it; the gRPC error becomes its cause. Without our
 * messages (another release, a proxy) it keeps the code and the text.
 */
export function errorOfStatus(failed: { code: number; details?: string; metadata?: Metadata }): ServiceError {
  const kind = kindOfCode.get(failed.code) ?? 'internal';
  const sent = failed.metadata?.get(detailsKey)[0];
  const { messages, waitingHelps } = decodeDetails(sent instanceof Buffer ? sent : Buffer.alloc(0));
  const text = textOfKind[kind] ?? failed.details ?? '';
  return new ServiceError(kind, messages.length > 0 ? messages : text, { cause: failed, waitingHelps });
}

/** Whether a call failed without an answer of our handlers: no connection, a lost connection, or an unknown method. */
export function isUnanswered({ cause }: ServiceError): boolean {
  const { metadata } = (cause ?? {}) as { metadata?: unknown };
  return metadata instanceof Metadata && metadata.get(detailsKey).length === 0;
}

/** Whether the server does not know the method of a call, because it runs the previous release. */
export function isUnimplemented(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.kind === 'unimplemented' && isUnanswered(error);
}

/** Converts any error that a gRPC call threw to a ServiceError. */
export function errorOfCall(thrown: unknown): ServiceError {
  const code = (thrown as { code?: unknown } | null)?.code;
  if (thrown instanceof ServiceError || typeof code !== 'number') return toServiceError(thrown);
  return errorOfStatus(thrown as { code: number });
}

/**
 * Logs the failure of a call, or of a part of one: as an error when this service or a dependency failed, at debug level
 * when the caller did. Returns its kind.
 */
export function reportFailure(path: string, call: Pick<Call, 'caller' | 'logger'>, thrown: unknown): FailureKind {
  const error = toServiceError(thrown);
  const event = { method: path, caller: call.caller, kind: error.kind };
  if (error.kind === 'internal') call.logger.error({ ...event, err: error.cause ?? error }, 'call failed');
  else if (error.kind === 'unavailable' && error.cause)
    call.logger.warn({ ...event, reason: errorText(error.cause) }, 'call failed');
  else if (call.logger.isLevelEnabled('debug'))
    call.logger.debug({ ...event, reason: textOf(error.messages) }, 'call refused');
  return error.kind;
}
