import {
  type CallFailure,
  type ExchangedCall,
  type ExchangeRequest,
  type ExchangeResponse,
  ExchangeServiceService,
} from '@cadastre/proto/exchange';
import { Metadata, type ServerDuplexStream, status } from '@grpc/grpc-js';
import { ServiceError } from '../../errors.js';
import { type CallHooks, type OneToMany, type OneToOne, perform, type Steps } from '../adapt.js';
import { type Arrival, requestIdOf } from '../arrival.js';
import { cancelReason, type SurfaceCall } from '../call.js';
import { type FailedStatus, statusOf } from '../status.js';
import { detailsKey } from '../status-details.js';
import { orAborted, writeAll } from '../streams.js';
import type { Call, MethodDefinition, ServiceDefinition } from '../types.js';
import { type AnswerWriter, createAnswerWriter } from './answer.js';
import { maxMessageBytes, partBytes } from './bounds.js';
import { serverSpan } from './call-span.js';
import { createOutbox } from './outbox.js';

/** A method and its handler, which takes one request. */
export interface ExchangedMethod {
  readonly method: MethodDefinition;
  readonly handler: unknown;
}

export type ExchangeServer = ReturnType<typeof createExchangeServer>;

type Stream = ServerDuplexStream<ExchangeRequest, ExchangeResponse>;

/** Maximum concurrent calls of one exchange. */
const maxCalls = 10_000;
/** Maximum bytes of requests that one exchange holds. */
const maxHeldBytes = 64 * 1024 * 1024;
/** The server identifies the caller again after this time: its token or certificate may be invalid now. */
const callerMs = 1_000;

/** Refuses messages before decoding them, which costs much more than sending them. */
const definition: ServiceDefinition = {
  exchange: {
    ...ExchangeServiceService.exchange,
    requestDeserialize(bytes: Buffer) {
      if (bytes.length > maxMessageBytes) throw new ServiceError('exhausted', 'The message is too large');
      return ExchangeServiceService.exchange.requestDeserialize(bytes);
    },
  },
};

/**
 * Makes the service that performs the calls of these methods, by their paths. `admitStream` throws unless the caller may
 * call any method at all.
 */
export function createExchangeServer(
  methods: ReadonlyMap<string, ExchangedMethod>,
  around: CallHooks,
  admitStream: (stream: SurfaceCall) => void,
) {
  const open = new Set<() => void>();
  let isStopping = false;
  const drainAll = () => {
    for (const drain of open) drain();
  };
  return {
    definition,
    handlers: {
      exchange(stream: Stream) {
        try {
          admitStream(stream);
        } catch (error) {
          stream.emit('error', statusOf(error, requestIdOf(undefined)));
          return;
        }
        const drain = serveExchange(stream, methods, around);
        if (isStopping) return drain();
        open.add(drain);
        for (const event of ['close', 'cancelled']) stream.once(event, () => open.delete(drain));
      },
    },
    /** Ends the open exchanges, after their last answers; clients begin new ones. */
    drain: drainAll,
    /** Ends them, and those that clients begin on connections that are still open. */
    stop(): void {
      isStopping = true;
      drainAll();
    },
    /** Whether an exchange that began before `stop` has not ended yet. */
    areOpen: () => open.size > 0,
  };
}

interface RunningCall {
  cancel(): void;
  readonly answer: AnswerWriter;
}

/** Serves a stream; the returned function ends it after its last answer. */
function serveExchange(stream: Stream, methods: ReadonlyMap<string, ExchangedMethod>, around: CallHooks): () => void {
  const calls = new Map<number, RunningCall>();
  // Stops reading requests while the client does not read its answers.
  const outbox = createOutbox<ExchangeResponse>(
    stream,
    () => ({ parts: [], draining: false }),
    (isBlocked) => void (isBlocked ? stream.pause() : stream.resume()),
  );
  const callerNow = remembered(() => around.callerOf(stream));
  let heldBytes = 0;
  let isDraining = false;

  const fail = (number: number, failure: CallFailure) =>
    outbox.message(200).parts.push({ number, message: undefined, continues: false, ended: true, failure });

  const begin = (sent: ExchangedCall) => {
    const { number, request } = sent;
    if (isDraining) return fail(number, unseen);
    const served = methods.get(sent.method);
    if (served === undefined) return fail(number, needsOwnCall);
    if (calls.size >= maxCalls || heldBytes + request.length > maxHeldBytes)
      return fail(number, tooMuch(sent.requestId));
    heldBytes += request.length;
    const arrival = arrivalIn(sent, callerNow());
    const answer = createAnswerWriter(number, (part) => outbox.message(part.message!.length + 20).parts.push(part));
    calls.set(number, { cancel: () => arrival.cancellation.abort(cancelReason(arrival.deadline)), answer });
    const span = serverSpan(sent.method, sent.traceparent);
    const steps: Steps<Buffer | undefined> = {
      work: (call) => respond(served, request, answer, call),
      succeed(message) {
        span.end(status.OK);
        outbox
          .message(20 + (message?.length ?? 0))
          .parts.push({ number, message, continues: false, ended: true, failure: undefined });
      },
      fail(failed) {
        span.end(failed.code);
        fail(number, failureOf(failed));
      },
    };
    void span
      .within(() => perform(served.method, arrival, around, steps))
      .finally(() => {
        calls.delete(number);
        heldBytes -= request.length;
        endIfDrained();
      });
  };
  const endIfDrained = () => {
    if (isDraining && calls.size === 0) outbox.end();
  };
  stream.on('data', ({ calls: begun, cancelled, taken }: ExchangeRequest) => {
    for (const { number, bytes } of taken) calls.get(number)?.answer.taken(bytes);
    for (const call of begun) begin(call);
    for (const number of cancelled) calls.get(number)?.cancel();
  });
  const drain = () => {
    if (isDraining) return;
    isDraining = true;
    outbox.message(2).draining = true;
    endIfDrained();
  };
  stream.on('end', drain);
  stream.on('cancelled', () => {
    outbox.close();
    for (const { cancel } of calls.values()) cancel();
  });
  stream.on('error', () => {});
  // Sends the client the address of this server.
  stream.sendMetadata(new Metadata());
  return drain;
}

/** The cached value of a function, refreshed when it is old. */
function remembered<T>(fetch: () => T): () => T {
  let value = fetch();
  let until = performance.now() + callerMs;
  return () => {
    if (performance.now() < until) return value;
    value = fetch();
    until = performance.now() + callerMs;
    return value;
  };
}

function arrivalIn({ timeoutMs, requestId }: ExchangedCall, caller: Arrival['caller']): Arrival {
  const cancellation = new AbortController();
  const deadline = timeoutMs === 0 ? undefined : new Date(Date.now() + timeoutMs);
  const timer = deadline && setTimeout(() => cancellation.abort(cancelReason(deadline)), timeoutMs);
  return { caller, requestId: requestIdOf(requestId), deadline, cancellation, release: () => clearTimeout(timer) };
}

/** Calls the handler. Returns a response that can be sent as one part with the end of the call, as most can. */
async function respond(
  { method, handler }: ExchangedMethod,
  sent: Buffer,
  answer: AnswerWriter,
  call: Call,
): Promise<Buffer | undefined> {
  const request = method.requestDeserialize(sent);
  if (method.responseStream) {
    await writeAll(call.signal, (handler as OneToMany)(request, call), answer, method.responseSerialize);
  } else {
    const response = await orAborted(call.signal, (handler as OneToOne)(request, call));
    const bytes = method.responseSerialize(response as never);
    if (bytes.length <= partBytes) return bytes;
    answer.write(bytes, () => {});
  }
  await orAborted(call.signal, answer.sent());
  return undefined;
}

function failureOf({ code, details, metadata }: FailedStatus): CallFailure {
  const sent = metadata.get(detailsKey)[0];
  return { code, text: details, details: sent instanceof Buffer ? sent : Buffer.alloc(0), unseen: false };
}

const unseen: CallFailure = {
  code: status.UNAVAILABLE,
  text: 'The service is stopping',
  details: Buffer.alloc(0),
  unseen: true,
};

/** A method that is not available in exchanges, such as those of health, or unknown to the server. */
const needsOwnCall: CallFailure = { ...unseen, code: status.UNIMPLEMENTED, text: 'Not in an exchange' };

function tooMuch(requestId: string): CallFailure {
  return failureOf(statusOf(new ServiceError('exhausted', 'Too many calls at once'), requestId));
}
