import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { type Client, type ClientReadableStream, type CallOptions as GrpcCallOptions, Metadata } from '@grpc/grpc-js';
import type { ServiceError } from '../errors.js';
import { abortError, requestIdKey } from './call.js';
import type { Channel } from './channel.js';
import { errorOfCall } from './status.js';
import { answersOf, asItIs, messagesOf, until, writeAll } from './streams.js';
import type { CallOptions, MethodDefinition } from './types.js';

/** Each hop keeps this much of the deadline, so that it can report which step was slow. */
const deadlineMarginMs = 20;

/**
 * RFC 9218: responses share the connection. Without it a server sends one response to its end before the next, so a
 * large one delays all calls to the service.
 */
const incremental = 'u=3, i';

type Items = AsyncIterable<unknown>;
type Sent = { metadata: Metadata; grpc: GrpcCallOptions; signal: AbortSignal | undefined };

/** The metadata and deadline of a call: request identifier, and the earlier of its own and the given deadline. */
function outgoing(options: CallOptions, defaultMs: number): Sent {
  const metadata = new Metadata();
  metadata.set(requestIdKey, options.requestId ?? randomUUID());
  metadata.set('priority', incremental);
  const own = Date.now() + (options.deadlineMs ?? defaultMs);
  const given = options.deadline ? options.deadline.getTime() - deadlineMarginMs : Number.POSITIVE_INFINITY;
  const deadline = Math.min(own, given);
  if (options.signal?.aborted) throw abortError(options.signal);
  return { metadata, grpc: Number.isFinite(deadline) ? { deadline } : {}, signal: options.signal };
}

/** grpc-js makes an Error for the stack of each call; without a stack this is cheap. */
function begin<C extends EventEmitter>(channel: Channel, make: (client: Client) => C): C {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return channel.begin(make);
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** Cancels a call when the signal is aborted; the returned function stops listening. */
function follow(signal: AbortSignal | undefined, call: { cancel(): void }): () => void {
  if (!signal) return () => {};
  const cancel = () => call.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  return () => signal.removeEventListener('abort', cancel);
}

/**
 * One request, one response. Messages are encoded and decoded here: grpc-js keeps what it decodes until its HTTP/2
 * stream is collected, which only a major garbage collection does, and so each response would be copied to the old
 * generation.
 */
export async function callUnary(
  channel: Channel,
  method: MethodDefinition,
  request: unknown,
  options: CallOptions,
  defaultMs: number,
): Promise<unknown> {
  const sent = outgoing(options, defaultMs);
  try {
    const response = await exchange(channel, method.path, method.requestSerialize(request as never), sent);
    return method.responseDeserialize(response);
  } catch (error) {
    throw failure(error, sent.signal);
  }
}

function exchange(channel: Channel, path: string, request: Buffer, { metadata, grpc, signal }: Sent): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let forget = () => {};
    const call = begin(channel, (client) =>
      client.makeUnaryRequest(path, asItIs, asItIs, request, metadata, grpc, (error, response) => {
        forget();
        if (error) reject(error);
        else resolve(response!);
      }),
    );
    forget = follow(signal, call);
  });
}

/** Many requests, one response. */
export async function callClientStream(
  channel: Channel,
  method: MethodDefinition,
  requests: Items,
  options: CallOptions,
  defaultMs: number,
): Promise<unknown> {
  const { metadata, grpc, signal } = outgoing(options, defaultMs);
  const ended = new AbortController();
  return new Promise((resolve, reject) => {
    const call = begin(channel, (client) =>
      client.makeClientStreamRequest(
        method.path,
        asItIs,
        method.responseDeserialize,
        metadata,
        grpc,
        (error, response) => {
          ended.abort();
          forget();
          if (error) reject(failure(error, signal));
          else resolve(response);
        },
      ),
    );
    const forget = follow(signal, call);
    send(ended.signal, requests, call, method).catch(reject);
  });
}

/** Sends all requests; when their iterator fails, cancels the call and throws its error. */
async function send(
  ended: AbortSignal,
  requests: Items,
  call: Parameters<typeof writeAll>[2] & { cancel(): void },
  { requestSerialize }: MethodDefinition,
): Promise<void> {
  try {
    await writeAll(ended, requests, call, requestSerialize);
    call.end();
  } catch (error) {
    if (ended.aborted) return;
    call.cancel();
    throw error;
  }
}

/** One request, many responses. Leaving the loop early cancels the call. */
export async function* callServerStream(
  channel: Channel,
  method: MethodDefinition,
  request: unknown,
  options: CallOptions,
  defaultMs: number,
): Items {
  const { metadata, grpc, signal } = outgoing(options, defaultMs);
  const call = begin(channel, (client) =>
    client.makeServerStreamRequest(
      method.path,
      method.requestSerialize as (value: unknown) => Buffer,
      method.responseDeserialize,
      request,
      metadata,
      grpc,
    ),
  );
  yield* receive(call, answersOf(call), signal);
}

/** Many requests, many responses, at the same time. */
export async function* callBidi(
  channel: Channel,
  method: MethodDefinition,
  requests: Items,
  options: CallOptions,
  defaultMs: number,
): Items {
  const { metadata, grpc, signal } = outgoing(options, defaultMs);
  const call = begin(channel, (client) =>
    client.makeBidiStreamRequest(method.path, asItIs, method.responseDeserialize, metadata, grpc),
  );
  const ended = new AbortController();
  const broken = new AbortController();
  send(ended.signal, requests, call, method).catch((error) => broken.abort(error));
  try {
    yield* until(broken.signal, receive(call, messagesOf(call), signal));
  } finally {
    ended.abort();
  }
}

async function* receive(call: ClientReadableStream<unknown>, messages: Items, signal: AbortSignal | undefined): Items {
  const forget = follow(signal, call);
  // The error of an abandoned call has no other listener and would end the process.
  call.on('error', () => {});
  try {
    yield* messages;
  } catch (error) {
    throw failure(error, signal);
  } finally {
    forget();
    call.cancel();
  }
}

function failure(error: unknown, signal: AbortSignal | undefined): ServiceError {
  return signal?.aborted ? abortError(signal) : errorOfCall(error);
}
