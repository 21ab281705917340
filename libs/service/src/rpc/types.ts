import type { Logger } from '../logger.js';

/** A method of a contract as ts-proto generates it. */
export interface MethodDefinition {
  readonly path: string;
  /** Whether a call may be repeated: the contract has an `idempotency_level`. */
  readonly idempotent?: boolean;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly requestSerialize: (value: never) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => unknown;
  readonly responseSerialize: (value: never) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => unknown;
}

/** A service of a contract as ts-proto generates it, for example `ObjectReaderServiceService`. */
export type ServiceDefinition = Readonly<Record<string, MethodDefinition>>;

export type RequestOf<M extends MethodDefinition> = ReturnType<M['requestDeserialize']>;
export type ResponseOf<M extends MethodDefinition> = ReturnType<M['responseDeserialize']>;

/** The call as a handler sees it, besides the request. */
export interface Call {
  /** Passed to every service that handles a part of the request, and to their logs. */
  requestId: string;
  /** Aborted when the caller cancels or the deadline passes. */
  signal: AbortSignal;
  /** When the caller stops waiting. */
  deadline: Date | undefined;
  /** Name of the caller: our service, or the operator's system; "local" on servers without TLS. */
  caller: string;
  /** Logs with the request identifier. */
  logger: Logger;
  /** Calls the listener when the call has ended and the memory of its response is free. */
  onEnd(listener: () => void): void;
}

/** A function of one method. Streams are async iterables in both directions. */
type Shape<M extends MethodDefinition, Further extends unknown[]> = (
  request: M['requestStream'] extends true ? AsyncIterable<RequestOf<M>> : RequestOf<M>,
  ...further: Further
) => M['responseStream'] extends true ? AsyncIterable<ResponseOf<M>> : Promise<ResponseOf<M>>;

export type Handler<M extends MethodDefinition> = Shape<M, [call: Call]>;

/** The full method table of a service: a missing method does not compile. */
export type Handlers<D extends ServiceDefinition> = { [K in keyof D]: Handler<D[K]> };

/** Options of one call. A handler's `Call` has this form: pass it to make a call on its behalf. */
export interface CallOptions {
  /** Milliseconds from now; default: that of the client. */
  deadlineMs?: number;
  /** Deadline of the call on whose behalf this one is made: this one ends a little earlier. */
  deadline?: Date | undefined;
  /** Cancels the call. */
  signal?: AbortSignal;
  /** Passed on; generated when absent. */
  requestId?: string;
}

/** A client of a service. Failed calls throw a ServiceError. A response stream starts when it is first read. */
export type RpcClient<D extends ServiceDefinition> = { [K in keyof D]: Shape<D[K], [options?: CallOptions]> };

/** How to detect an unresponsive peer. */
export interface Keepalive {
  /** Time between two pings. */
  readonly timeMs: number;
  /** Timeout of a ping; after that the connection closes, which fails its calls. */
  readonly timeoutMs: number;
}
