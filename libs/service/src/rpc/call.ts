import type { EventEmitter } from 'node:events';
import type { ServerUnaryCall } from '@grpc/grpc-js';
import { ServiceError } from '../errors.js';
import type { Logger } from '../logger.js';
import type { Call } from './types.js';

/** The metadata that carries the request identifier. */
export const requestIdKey = 'cadastre-request-id';

/** The common part of all four kinds of grpc-js server calls. */
export type SurfaceCall = Pick<ServerUnaryCall<unknown, unknown>, 'metadata' | 'getDeadline' | 'getAuthContext'> &
  EventEmitter & { cancelled: boolean };

/** The controllers that abort the signals of running calls. */
export type RunningCalls = Set<AbortController>;

/** Aborts the signals of all calls because the server stops. */
export function stopCalls(running: RunningCalls): void {
  for (const cancellation of running) cancellation.abort(new ServiceError('unavailable', 'The service is stopping'));
}

/** A call, and what to run when it has ended. Makes the logger lazily: few calls log anything. */
export function makeCall(known: Omit<Call, 'logger' | 'onEnd'>, logger: Logger): { call: Call; end(): void } {
  let child: Logger | undefined;
  const listeners: (() => void)[] = [];
  const call: Call = {
    ...known,
    get logger() {
      child ??= logger.child({ requestId: known.requestId });
      return child;
    },
    onEnd: (listener) => void listeners.push(listener),
  };
  return {
    call,
    end() {
      for (const listener of listeners) listener();
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
