import { randomUUID } from 'node:crypto';
import { Metadata, status } from '@grpc/grpc-js';
import type { ServiceError } from '../src/errors.js';
import type { Logger } from '../src/logger.js';
import { abortError, cancelReason, makeCall } from '../src/rpc/call.js';
import { errorOfStatus, statusOf } from '../src/rpc/status.js';
import { orAborted, until } from '../src/rpc/streams.js';
import type { Call, CallOptions, Handlers, MethodDefinition, RpcClient, ServiceDefinition } from '../src/rpc/types.js';

type Items = AsyncIterable<unknown>;
type Handler = (request: unknown, call: Call) => unknown;

/**
 * Runs handlers as a client without a socket; messages and errors have the same form as on the wire. A method without a
 * handler fails like one that a server does not know.
 */
export function inMemory<D extends ServiceDefinition>(
  definition: D,
  handlers: Partial<Handlers<D>>,
  logger: Logger,
): RpcClient<D> & { close(): void } {
  const methods = Object.entries(definition).map(([name, method]) => {
    const handler = handlers[name] as unknown as Handler | undefined;
    const call = method.responseStream ? manyResponses : oneResponse;
    const ask = (request: unknown, options: CallOptions = {}) =>
      call(method, handler, request, inMemoryCall(options, logger));
    return [name, ask];
  });
  return { ...Object.fromEntries(methods), close: () => {} } as RpcClient<D> & { close(): void };
}

function inMemoryCall(options: CallOptions, logger: Logger): ReturnType<typeof makeCall> {
  const own = options.deadlineMs === undefined ? undefined : new Date(Date.now() + options.deadlineMs);
  const deadline = own ?? options.deadline;
  const cancellation = new AbortController();
  const cancel = () => cancellation.abort(abortError(options.signal!));
  if (options.signal?.aborted) cancel();
  options.signal?.addEventListener('abort', cancel, { once: true });
  const expire = () => cancellation.abort(cancelReason(deadline));
  if (deadline && Number.isFinite(deadline.getTime())) setTimeout(expire, deadline.getTime() - Date.now()).unref();
  const requestId = options.requestId ?? randomUUID();
  return makeCall({ requestId, signal: cancellation.signal, deadline, caller: 'local' }, logger);
}

async function oneResponse(
  method: MethodDefinition,
  handler: Handler | undefined,
  request: unknown,
  { call, end }: ReturnType<typeof makeCall>,
): Promise<unknown> {
  if (handler === undefined) throw unknownMethod();
  try {
    call.signal.throwIfAborted();
    const response = await orAborted(call.signal, handler(received(method, request), call) as Promise<unknown>);
    return responseOnWire(method, response);
  } catch (thrown) {
    throw errorOfStatus(statusOf(thrown, call.requestId));
  } finally {
    end();
  }
}

async function* manyResponses(
  method: MethodDefinition,
  handler: Handler | undefined,
  request: unknown,
  { call, end }: ReturnType<typeof makeCall>,
): Items {
  if (handler === undefined) throw unknownMethod();
  try {
    call.signal.throwIfAborted();
    const responses = handler(received(method, request), call) as Items;
    for await (const response of until(call.signal, responses)) yield responseOnWire(method, response);
  } catch (thrown) {
    throw errorOfStatus(statusOf(thrown, call.requestId));
  } finally {
    end();
  }
}

/** The answer of grpc-js has no details. */
function unknownMethod(): ServiceError {
  return errorOfStatus({ code: status.UNIMPLEMENTED, metadata: new Metadata() });
}

function received(method: MethodDefinition, request: unknown): unknown {
  return method.requestStream ? eachOnWire(method, request as Items) : requestOnWire(method, request);
}

async function* eachOnWire(method: MethodDefinition, requests: Items): Items {
  for await (const request of requests) yield requestOnWire(method, request);
}

function requestOnWire(method: MethodDefinition, request: unknown): unknown {
  return method.requestDeserialize(method.requestSerialize(request as never));
}

function responseOnWire(method: MethodDefinition, response: unknown): unknown {
  return method.responseDeserialize(method.responseSerialize(response as never));
}
