import { Metadata, status } from '@grpc/grpc-js';
import type { ServiceError } from '../../errors.js';
import { abortError } from '../call.js';
import { errorOfStatus, type FailedStatus } from '../status.js';
import { reportBytes } from './bounds.js';
import { clientSpan } from './call-span.js';
import type { ReplicaStream } from './replicas.js';
import type { Outcome } from './stream.js';

/** A request and its parameters. */
export interface ExchangedRequest {
  /** Path of the method. */
  readonly method: string;
  readonly request: Buffer;
  readonly requestId: string;
  /** Milliseconds since 1970; Infinity for none. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/** Maximum complete messages that wait to be read. */
const maxUnread = 2;

/** Calls a method with one response. Returns how the call ended if it reached no handler. */
export function askOnce(
  replica: ReplicaStream,
  requested: ExchangedRequest,
): Promise<Buffer | 'not-handled' | 'needs-own-call'> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const call = beginCall(replica, requested, {
      part(bytes) {
        parts.push(bytes);
        if (parts.length > 1 || bytes.length >= reportBytes) call.take(bytes.length);
      },
      ended(outcome) {
        if (outcome === 'not-handled' || outcome === 'needs-own-call') resolve(outcome);
        else if (outcome !== 'ok') reject(outcome);
        else if (parts.length === 0) reject(errorOfStatus({ code: status.INTERNAL }));
        else resolve(parts.length === 1 ? parts[0]! : Buffer.concat(parts));
      },
    });
  });
}

/** Calls a method with many responses, and yields them on demand. Returns how the call ended. */
export async function* readOnce<T>(
  replica: ReplicaStream,
  requested: ExchangedRequest,
  decode: (message: Buffer) => T,
): AsyncGenerator<T, 'ok' | 'not-handled' | 'needs-own-call'> {
  const whole: Buffer[] = [];
  let parts: Buffer[] = [];
  let unreported = 0;
  /** Bytes that arrived while too many messages were unread. */
  let withheld = 0;
  let outcome: Outcome | ServiceError | undefined;
  let wake = () => {};

  const report = (bytes: number) => {
    unreported += bytes;
    if (unreported < reportBytes) return;
    call.take(unreported);
    unreported = 0;
  };
  const call = beginCall(replica, requested, {
    part(bytes, isWhole) {
      parts.push(bytes);
      if (whole.length < maxUnread) report(bytes.length);
      else withheld += bytes.length;
      if (!isWhole) return;
      whole.push(parts.length === 1 ? bytes : Buffer.concat(parts));
      parts = [];
      wake();
    },
    ended(how) {
      outcome = how;
      wake();
    },
  });
  try {
    for (;;) {
      const message = whole.shift();
      if (message !== undefined) {
        if (whole.length < maxUnread && withheld > 0) {
          report(withheld);
          withheld = 0;
        }
        yield decode(message);
      } else if (typeof outcome === 'string') return outcome;
      else if (outcome !== undefined) throw outcome;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    call.cancel();
  }
}

interface CallListener {
  part(bytes: Buffer, isWhole: boolean): void;
  /** Called once, with the outcome of the call, or the error of the side that cancelled it. */
  ended(outcome: 'ok' | 'not-handled' | 'needs-own-call' | ServiceError): void;
}

/** Begins a call, and ends it at its deadline or when its signal is aborted. */
function beginCall({ stream, count }: ReplicaStream, requested: ExchangedRequest, listener: CallListener) {
  const { method, request, requestId, deadline, signal } = requested;
  const timeoutMs = deadline === Number.POSITIVE_INFINITY ? 0 : Math.max(1, Math.ceil(deadline - Date.now()));
  const span = clientSpan(method);
  const call = stream.begin(
    { method, request, requestId, timeoutMs, traceparent: span.traceparent },
    {
      part: listener.part,
      end(outcome) {
        forget();
        span.end(codeOf(outcome));
        count(isFailure(outcome));
        listener.ended(typeof outcome === 'string' ? outcome : errorOfStatus(outcome));
      },
    },
  );
  const abort = () => {
    cancel();
    listener.ended(abortError(signal!));
  };
  // If the server heard of it before its own timer fires, it would count the call as cancelled, not as too slow.
  const expire = () => {
    count(true);
    forget();
    if (call.leave()) span.end(late.code);
    listener.ended(errorOfStatus(late));
  };
  const timer = timeoutMs === 0 ? undefined : setTimeout(expire, timeoutMs);
  signal?.addEventListener('abort', abort, { once: true });
  const forget = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  /** Ends the call if it has not ended. */
  const cancel = () => {
    forget();
    if (call.cancel()) span.end(status.CANCELLED);
  };
  return { take: call.take, cancel };
}

function codeOf(outcome: Outcome): status {
  if (outcome === 'ok') return status.OK;
  return typeof outcome === 'string' ? status.UNAVAILABLE : outcome.code;
}

const late: FailedStatus = { code: status.DEADLINE_EXCEEDED, details: 'Deadline exceeded', metadata: new Metadata() };

/** Whether an outcome means that the replica does not work. */
function isFailure(outcome: Outcome): boolean {
  if (typeof outcome === 'string') return false;
  return (
    outcome.code === status.UNAVAILABLE ||
    outcome.code === status.INTERNAL ||
    outcome.code === status.UNKNOWN ||
    outcome.code === status.DEADLINE_EXCEEDED
  );
}
