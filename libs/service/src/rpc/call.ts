import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { ServerUnaryCall } from '@grpc/grpc-js';
import { ServiceError } from '../errors.js';
import type { Logger } from '../logger.js';
import type { Caller } from './caller.js';
import type { Call } from './types.js';

/** The metadata that carries the request identifier. */
export const requestIdKey = 'cadastre-request-id';

/** What all four kinds of grpc-js server calls have in common. */
export type SurfaceCall = Pick<ServerUnaryCall<unknown, unknown>, 'metadata' | 'getDeadline' | 'getAuthContext'> &
  EventEmitter & { cancelled: boolean };

/** What aborts the signals of the calls that run. */
export type RunningCalls = Set<AbortController>;

/** Aborts the signals of all calls because the server stops. */
export function stopCalls(running: RunningCalls): void {
  for (const cancellation of running) {
    cancellation.abort(new ServiceError('unavailable', 'The service is stopping'));
  }
}

/** A call that has arrived, by itself or in an exchange. */
export interface Arrival {
  readonly caller: Caller;
  readonly requestId: string;
  readonly deadline: Date | undefined;
  /** Aborted when the caller cancels or the deadline passes. */
  readonly cancellation: AbortController;
  /** Runs when the call has ended. */
  release(): void;
}

/** A call of grpc-js. */
export function arrivalOf(surface: SurfaceCall, caller: Caller): Arrival {
  const deadline = deadlineOf(surface);
  const cancellation = new AbortController();
  const cancel = () => cancellation.abort(cancelReason(deadline));
  if (surface.cancelled) cancel();
  surface.on('cancelled', cancel);
  const requestId = requestIdOf(surface.metadata.get(requestIdKey)[0]);
  return { caller, requestId, deadline, cancellation, release: () => surface.off('cancelled', cancel) };
}

/** Adds the logger lazily: most calls log nothing. */
export function makeCall(known: Omit<Call, 'logger'>, logger: Logger): Call {
  let child: Logger | undefined;
  return {
    ...known,
    get logger() {
      child ??= logger.child({ requestId: known.requestId });
      return child;
    },
  };
}

/** Why a call was cancelled: its deadline passed, or the caller cancelled it. */
export function cancelReason(deadline: Date | undefined): ServiceError {
  // The other side's timer may fire a little earlier than ours.
  const late = deadline !== undefined && Date.now() >= deadline.getTime() - 20;
  return late
    ? new ServiceError('timeout', 'The request took too long')
    : new ServiceError('cancelled', 'The request was cancelled');
}

/** The error of a call that its caller cancelled. */
export function abortError(signal: AbortSignal): ServiceError {
  return signal.reason instanceof ServiceError
    ? signal.reason
    : new ServiceError('cancelled', 'The request was cancelled', { cause: signal.reason });
}

function deadlineOf(surface: SurfaceCall): Date | undefined {
  const deadline = surface.getDeadline();
  if (deadline instanceof Date) return deadline;
  return Number.isFinite(deadline) ? new Date(deadline) : undefined;
}

/** The identifier that the caller sent, or a new one. */
export function requestIdOf(sent: unknown): string {
  return typeof sent === 'string' && /^[\w.-]{1,64}$/.test(sent) ? sent : randomUUID();
}
