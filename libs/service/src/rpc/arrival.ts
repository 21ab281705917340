import { randomUUID } from 'node:crypto';
import { cancelReason, requestIdKey, type SurfaceCall } from './call.js';
import type { Caller } from './caller.js';

/** A call that has arrived, alone or in an exchange. */
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

function deadlineOf(surface: SurfaceCall): Date | undefined {
  const deadline = surface.getDeadline();
  if (deadline instanceof Date) return deadline;
  return Number.isFinite(deadline) ? new Date(deadline) : undefined;
}

/** The identifier that the caller sent, or a new one. */
export function requestIdOf(sent: unknown): string {
  return typeof sent === 'string' && /^[\w.-]{1,64}$/.test(sent) ? sent : randomUUID();
}
