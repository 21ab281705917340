import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { type Client, type ClientReadableStream, type CallOptions as GrpcCallOptions, Metadata } from '@grpc/grpc-js';
import type { ServiceError } from '../errors.js';
import { abortError, requestIdKey } from './call.js';
import type { Channel } from './channel.js';
import { maxRequestBytes } from './exchange/bounds.js';
import { askOnce, type ExchangedRequest, readOnce } from './exchange/calls.js';
import type { Exchanges, ReplicaStream } from './exchange/replicas.js';
import { errorOfCall } from './status.js';
import { answersOf, asItIs, messagesOf, until, writeAll } from './streams.js';
import type { CallOptions, MethodDefinition } from './types.js';

/** Each hop reserves this part of the deadline, to report which step was slow. */
const deadlineMarginMs = 20;

/**
 * RFC 9218: responses share the connection. Without it a server sends one response to its end before the next, so a
 * large one delays all calls to the service.
 */
const incremental = 'u=3, i';

type Items = AsyncIterable<unknown>;
type Bounds = Pick<ExchangedRequest, 'requestId' | 'deadline' | 'signal'>;
type Sent = { metadata: Metadata; grpc: GrpcCallOptions; signal: AbortSignal | undefined };

/** How a client calls: through an exchange, or by a call of grpc-js if a server has none. */
export interface Route {
  readonly channel: Channel;
  readonly exchanges: Exchanges;
}

/** The call with its request identifier, and the earlier of its own and the given deadline. */
function bounded(options: CallOptions, defaultMs: number): Bounds {
  const own = Date.now() + (options.deadlineMs ?? defaultMs);
  const given = options.deadline ? options.deadline.getTime() - deadlineMarginMs : Number.POSITIVE_INFINITY;
  if (options.signal?.aborted) throw abortError(options.signal);
  return {
    requestId: options.requestId ?? randomUUID(),
    deadline: Math.min(own, given),
    signal: options.signal,
  };
}

/** The bounds of a call in the form of grpc-js: metadata and deadline. */
function outgoing({ requestId, deadline, signal }: Bounds): Sent {
  const metadata = new Metadata();
  metadata.set(requestIdKey, requestId);
  metadata.set('priority', incremental);
  return { metadata, grpc: Number.isFinite(deadline) ? { deadline } : {}, signal };
}

/** Maximum retries at other servers of a request that reached no handler. */
const maxResends = 5;

/** The streams for a request, one for each attempt; none when it needs a call of its own. */
function* attempts({ exchanges }: Route, request: Buffer): Generator<ReplicaStream> {
  if (request.length > maxRequestBytes) return;
  for (let made = 0; made <= maxResends; made++) {
    const replica = exchanges.next();
    if (replica === undefined) return;
    yield replica;
  }
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

/** One request, one response. */
export async function callUnary(
  route: Route,
  method: MethodDefinition,
  message: unknown,
  options: CallOptions,
  defaultMs: number,
): Promise<unknown> {
  const request = method.requestSerialize(message as never);
  const requested = { method: method.path, request, ...bounded(options, defaultMs) };
  for (const replica of attempts(route, request)) {
    const response = await askOnce(replica, requested);
    if (response === 'needs-own-call') break;
    if (response !== 'not-handled') return method.responseDeserialize(response);
  }
  const sent = outgoing(requested);
  try {
    return method.responseDeserialize(await ownCall(route.channel, method.path, request, sent));
  } catch (error) {
    throw failure(error, sent.signal);
  }
}

/**
 * A call of its own. This file encodes and decodes the messages: grpc-js holds what it decodes until its HTTP/2 stream
 * is collected, which only a major garbage collection does, and so each response would be copied to the old generation.
 */
function ownCall(channel: Channel, path: string, request: Buffer, { metadata, grpc, signal }: Sent): Promise<Buffer> {
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
  const { metadata, grpc, signal } = outgoing(bounded(options, defaultMs));
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
  call: Parameters<typeof writeAll>[2] & { cancel(): void; end(): void },
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
  route: Route,
  method: MethodDefinition,
  message: unknown,
  options: CallOptions,
  defaultMs: number,
): Items {
  const request = method.requestSerialize(message as never);
  const requested = { method: method.path, request, ...bounded(options, defaultMs) };
  for (const replica of attempts(route, request)) {
    const outcome = yield* readOnce(replica, requested, method.responseDeserialize);
    if (outcome === 'ok') return;
    if (outcome === 'needs-own-call') break;
  }
  const { metadata, grpc, signal } = outgoing(requested);
  const call = begin(route.channel, (client) =>
    client.makeServerStreamRequest(method.path, asItIs, method.responseDeserialize, request, metadata, grpc),
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
  const { metadata, grpc, signal } = outgoing(bounded(options, defaultMs));
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
