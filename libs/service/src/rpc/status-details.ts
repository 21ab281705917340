import { BadRequest, ErrorInfo, RequestInfo, RetryInfo, Status } from '@cadastre/proto/google-rpc';
import { Failure, type Message, Severity } from '@cadastre/proto/registry';
import { failureMessage, formatMessage, type ServiceError } from '../errors.js';

/** The trailing metadata in which gRPC expects a google.rpc.Status. */
export const detailsKey = 'grpc-status-details-bin';

/**
 * Limit for the messages of a failure. With the text, the other details and base64 the trailers stay below 8,192 bytes,
 * the limit of many clients.
 */
const maxMessagesBytes = 3_000;

/** Retry time for clients. The limits on callers are per second; a stopping replica exits as quickly. */
const retryDelay = { seconds: 1n, nanos: 0 };

const typePrefix = 'type.googleapis.com/';
const failureType = 'cadastre.registry.v1.Failure';
const retryInfoType = 'google.rpc.RetryInfo';

/** A failed call in the standard error model: encoded `google.rpc.Status`. */
export function encodeDetails(
  failed: { code: number; details: string },
  { kind, waitingHelps }: ServiceError,
  messages: Message[],
  requestId: string,
): Buffer {
  const shown = fitting(messages);
  const reason = kind.toUpperCase().replaceAll('-', '_');
  const fieldViolations = violations(shown);
  const details = [
    packed('google.rpc.ErrorInfo', ErrorInfo.encode({ reason, domain: 'cadastre', metadata: {} })),
    packed('google.rpc.RequestInfo', RequestInfo.encode({ requestId, servingData: '' })),
    packed(failureType, Failure.encode({ messages: shown, requestId: '' })),
  ];
  if (fieldViolations.length > 0) details.push(packed('google.rpc.BadRequest', BadRequest.encode({ fieldViolations })));
  if (waitingHelps) details.push(packed(retryInfoType, RetryInfo.encode({ retryDelay })));
  return Buffer.from(Status.encode({ code: failed.code, message: failed.details, details }).finish());
}

/** Decodes a `google.rpc.Status`; no messages if it has none of ours or is malformed. */
export function decodeDetails(bytes: Buffer): { messages: Message[]; waitingHelps: boolean } {
  try {
    const { details } = Status.decode(bytes);
    const detail = (type: string) => details.find(({ typeUrl }) => typeUrl === typePrefix + type);
    const failure = detail(failureType);
    const messages = failure ? Failure.decode(failure.value).messages : [];
    return { messages, waitingHelps: detail(retryInfoType) !== undefined };
  } catch {
    return { messages: [], waitingHelps: false };
  }
}

function packed(type: string, message: { finish(): Uint8Array }) {
  return { typeUrl: typePrefix + type, value: Buffer.from(message.finish()) };
}

/** The errors that name an attribute, for clients that show them beside form fields. */
function violations(messages: readonly Message[]): BadRequest['fieldViolations'] {
  return messages.flatMap((message) =>
    message.attribute && message.severity === Severity.SEVERITY_ERROR
      ? [
          {
            field: message.attribute.name,
            description: formatMessage(message),
            reason: '',
            localizedMessage: undefined,
          },
        ]
      : [],
  );
}

/** As many messages as fit, then one with the number of the others. Empty if the first is too long. */
function fitting(messages: readonly Message[]): Message[] {
  let bytes = 0;
  const first = messages.findIndex((message) => {
    bytes += Failure.encode({ messages: [message], requestId: '' }).finish().length;
    bytes += BadRequest.encode({ fieldViolations: violations([message]) }).finish().length;
    return bytes > maxMessagesBytes;
  });
  if (first < 0) return [...messages];
  const left = failureMessage(
    '%d further messages left out',
    [String(messages.length - first)],
    Severity.SEVERITY_INFO,
  );
  return first === 0 ? [] : [...messages.slice(0, first), left];
}
