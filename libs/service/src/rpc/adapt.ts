import type { ServerDuplexStream, sendUnaryData, UntypedHandleCall } from '@grpc/grpc-js';
import type { Logger } from '../logger.js';
import { type Arrival, arrivalOf } from './arrival.js';
import { makeCall, type RunningCalls, type SurfaceCall } from './call.js';
import type { Caller } from './caller.js';
import { type FailedStatus, reportFailure, statusOf } from './status.js';
import { asItIs, messagesOf, orAborted, until, writeAll } from './streams.js';
import type { Call, MethodDefinition } from './types.js';

/** Hooks around every call, the same for the whole server. */
export interface CallHooks {
  logger: Logger;
  running: RunningCalls;
  callerOf(surface: SurfaceCall): Caller;
  /** Throws unless the caller may call the method; the returned function runs when the call has ended. */
  admit(caller: Caller, path: string): () => void;
  /** Called with the outcome of each call: "ok" or the kind of its failure. */
  observe(method: MethodDefinition, outcome: string, seconds: number): void;
}

/** The definition for grpc-js. We encode response streams here, so that we know how many bytes wait. */
export function definitionOnWire(method: MethodDefinition): MethodDefinition {
  return method.responseStream ? { ...method, responseSerialize: asItIs } : method;
}

// `implement` checks the contract's types; in here, a handler has one of four shapes.
type Items = AsyncIterable<unknown>;
export type OneToOne = (request: unknown, call: Call) => Promise<unknown>;
export type OneToMany = (request: unknown, call: Call) => Items;

type Surface = ServerDuplexStream<unknown, unknown> & { readonly request: unknown };

/** Adapts one of our handlers to grpc-js. Response streams write bytes: see `definitionOnWire`. */
export function adapt(method: MethodDefinition, handler: unknown, around: CallHooks): UntypedHandleCall {
  const handle = (surface: Surface, call: Call) => {
    const request = method.requestStream ? until(call.signal, messagesOf(surface)) : surface.request;
    return (handler as OneToOne | OneToMany)(request, call);
  };
  const adapted = (surface: Surface, answer: sendUnaryData<unknown>) => {
    const arrival = arrivalOf(surface, around.callerOf(surface));
    if (!method.responseStream) {
      return perform(method, arrival, around, {
        work: (call) => orAborted(call.signal, handle(surface, call) as Promise<unknown>),
        succeed: (response) => answer(null, response),
        fail: (failed) => answer(failed),
      });
    }
    return perform(method, arrival, around, {
      work: (call) => writeAll(call.signal, handle(surface, call) as Items, surface, method.responseSerialize),
      succeed: () => surface.end(),
      fail: (failed) => void surface.emit('error', failed),
    });
  };
  return adapted as unknown as UntypedHandleCall;
}

/** The work of a call, and how to answer it. */
export interface Steps<T> {
  work(call: Call): Promise<T>;
  succeed(result: T): void;
  fail(failed: FailedStatus): void;
}

/** Performs a call that has arrived. */
export async function perform<T>(
  method: MethodDefinition,
  arrival: Arrival,
  { logger, running, admit, observe }: CallHooks,
  steps: Steps<T>,
): Promise<void> {
  const started = performance.now();
  const { caller, requestId, deadline, cancellation } = arrival;
  const { call, end } = makeCall({ requestId, signal: cancellation.signal, deadline, caller: caller.name }, logger);
  running.add(cancellation);
  let leave: (() => void) | undefined;
  let outcome = 'ok';
  try {
    leave = admit(caller, method.path);
    steps.succeed(await steps.work(call));
  } catch (thrown) {
    outcome = reportFailure(method.path, call, thrown);
    steps.fail(statusOf(thrown, requestId));
  } finally {
    leave?.();
    end();
    running.delete(cancellation);
    arrival.release();
    observe(method, outcome, (performance.now() - started) / 1000);
  }
}
