import { Failure, type Message } from '@cadastre/proto/registry';
import { Metadata, status } from '@grpc/grpc-js';
import { type FailureKind, failureMessage, formatMessage, ServiceError, toServiceError } from '../errors.js';

/** The trailing metadata that carries the `Failure` of a call. */
const failureKey = 'cadastre-failure-bin';

/** Trailers are limited; further messages are left out. */
const maxFailureBytes = 16_384;

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

/** What is said when the other side gave no reason of its own. */
const textOfKind: Partial<Record<FailureKind, string>> = {
  unavailable: 'Service temporarily unavailable',
  timeout: 'The request took too long',
  cancelled: 'The request was cancelled',
  exhausted: 'Too much was asked for at once',
  unimplemented: 'Not implemented',
};

/** The text beside the code is for those who know nothing of `Failure`, and is a header. */
const maxDetails = 500;

/** How a failed call ends on the wire. */
export interface FailedStatus {
  code: status;
  details: string;
  metadata: Metadata;
}

/** Any thrown value as a gRPC status; an internal failure never says why. */
export function statusOf(thrown: unknown, requestId: string): FailedStatus {
  const error = toServiceError(thrown);
  const messages = error.kind === 'internal' ? [failureMessage('Internal error')] : error.messages;
  const metadata = new Metadata();
  metadata.set(failureKey, encodeFailure(messages, requestId));
  const details = messages.map(formatMessage).join('; ').slice(0, maxDetails);
  return { code: codeOfKind[error.kind], details, metadata };
}

function encodeFailure(messages: Message[], requestId: string): Buffer {
  for (let count = messages.length; ; count = Math.floor(count / 2)) {
    const bytes = Failure.encode({ messages: messages.slice(0, count), requestId }).finish();
    if (bytes.length <= maxFailureBytes || count === 0) return Buffer.from(bytes);
  }
}

/** The error of a failed call as it was thrown on the other side; the gRPC error becomes its cause. */
export function errorOfStatus(failed: { code: number; details?: string; metadata?: Metadata }): ServiceError {
  const kind = kindOfCode.get(failed.code) ?? 'internal';
  const detail = failed.metadata?.get(failureKey)[0];
  const messages = detail instanceof Buffer ? decodeFailure(detail) : [];
  if (messages.length > 0) return new ServiceError(kind, messages, { cause: failed });
  return new ServiceError(kind, textOfKind[kind] ?? 'Internal error', { cause: failed });
}

function decodeFailure(bytes: Buffer): Message[] {
  try {
    return Failure.decode(bytes).messages;
  } catch {
    return [];
  }
}

/** Any error that a gRPC call threw, as a ServiceError. */
export function errorOfCall(thrown: unknown): ServiceError {
  const code = (thrown as { code?: unknown } | null)?.code;
  if (thrown instanceof ServiceError || typeof code !== 'number') return toServiceError(thrown);
  return errorOfStatus(thrown as { code: number });
}

/** One line for the log about a failure of the caller's making. */
export function summary(error: ServiceError): string {
  return error.messages.map(formatMessage).join('; ');
}
