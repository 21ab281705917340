import { expect, onTestFinished } from 'vitest';
import {
  type ConnectOptions,
  connect,
  createMetrics,
  createRpcServer,
  type Handlers,
  implement,
  type RpcClient,
  type RpcServer,
  type RpcServerOptions,
  type ServiceError,
} from '../src/index.js';
import { testLogger } from './testing.js';

/** A contract with the four shapes of calls; messages are numbers in decimal text, usually a thousand characters wide. */
export interface NumberMethod<Q extends boolean, S extends boolean> {
  path: string;
  requestStream: Q;
  responseStream: S;
  requestSerialize: (value: number) => Buffer;
  requestDeserialize: (bytes: Buffer) => number;
  responseSerialize: (value: number) => Buffer;
  responseDeserialize: (bytes: Buffer) => number;
}

function method<Q extends boolean, S extends boolean>(
  name: string,
  requestStream: Q,
  responseStream: S,
  width: number | ((value: number) => number) = 1000,
): NumberMethod<Q, S> {
  const widthOf = typeof width === 'number' ? () => width : width;
  const toBytes = (value: number, wide = 1000) => Buffer.from(String(value).padEnd(wide));
  const fromBytes = (bytes: Buffer) => Number(bytes.toString());
  return {
    path: `/cadastre.test.v1.NumberService/${name}`,
    requestStream,
    responseStream,
    requestSerialize: (value) => toBytes(value),
    requestDeserialize: fromBytes,
    responseSerialize: (value) => toBytes(value, widthOf(value)),
    responseDeserialize: fromBytes,
  };
}

export const NumberService = {
  double: method('Double', false, false),
  countTo: method('CountTo', false, true),
  /** The same in messages of 100,000 characters. */
  countWide: method('CountWide', false, true, 100_000),
  /** The same in messages of a million characters. */
  countHuge: method('CountHuge', false, true, 1_000_000),
  /** The same, each message 7,000 characters wider than the one before. */
  countGrowing: method('CountGrowing', false, true, (value) => value * 7_000),
  sum: method('Sum', true, false),
  running: method('Running', true, true),
};

export type NumberHandlers = Handlers<typeof NumberService>;

export const arithmetic: NumberHandlers = {
  double: async (n) => 2 * n,
  async *countTo(n) {
    for (let i = 1; i <= n; i++) yield i;
  },
  async *countWide(n) {
    for (let i = 1; i <= n; i++) yield i;
  },
  async *countHuge(n) {
    for (let i = 1; i <= n; i++) yield i;
  },
  async *countGrowing(n) {
    for (let i = 1; i <= n; i++) yield i;
  },
  async sum(items) {
    let total = 0;
    for await (const item of items) total += item;
    return total;
  },
  async *running(items) {
    let total = 0;
    for await (const item of items) {
      total += item;
      yield total;
    }
  },
};

/** Some numbers as a stream. */
export async function* each(...items: number[]): AsyncIterable<number> {
  yield* items;
}

/** Everything that a stream holds. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

export type Numbers = RpcClient<typeof NumberService> & { close(): void };

/** Runs at the end of the current test, the latest first. */
export const afterwards = (stop: () => unknown): void => onTestFinished(async () => void (await stop()));

/** Starts a server for the current test. */
export async function serve(
  handlers: NumberHandlers,
  address = '127.0.0.1:0',
  more: Pick<RpcServerOptions, 'keepalive'> = {},
): Promise<{ server: RpcServer; address: string }> {
  const implementations = [implement(NumberService, handlers)];
  const server = createRpcServer({
    name: 'numbers',
    logger: testLogger(),
    metrics: createMetrics('numbers'),
    address,
    implementations,
    ...more,
  });
  const bound = await server.start();
  afterwards(() => server.stop(100));
  return { server, address: bound.address };
}

/** Server and client share this process: while it is busy, it also answers its own pings late. */
const slowKeepalive = { timeMs: 30_000, timeoutMs: 30_000 };

type MoreOptions = Partial<ConnectOptions> & { readonly idempotent?: readonly string[] };

/** A client for the current test, which may know some methods as idempotent. */
export function client(address: string, { idempotent = [], ...more }: MoreOptions = {}): Numbers {
  const methods = Object.entries(NumberService).map(([name, one]) => {
    return [name, { ...one, idempotent: idempotent.includes(name) }] as const;
  });
  const definition = Object.fromEntries(methods) as unknown as typeof NumberService;
  const made = connect(definition, { address, deadlineMs: 60_000, keepalive: slowKeepalive, ...more });
  afterwards(() => made.close());
  return made;
}

/** A client of a new server over TCP, with some handlers replaced. */
export async function served(handlers: Partial<NumberHandlers> = {}): Promise<Numbers> {
  return client((await serve({ ...arithmetic, ...handlers })).address);
}

/** The error of a call that must fail. */
export async function failureOf(work: Promise<unknown>): Promise<ServiceError> {
  return work.then(
    () => expect.fail('the call should have failed'),
    (error) => error as ServiceError,
  );
}

/** A promise and the function that settles it. */
export function signalled<T = void>(): { promise: Promise<T>; settle: (value: T) => void } {
  let settle: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}

/** Waits until a count no longer changes. */
export async function settled(count: () => number): Promise<void> {
  for (let before = -1; before !== count() || before === 0; ) {
    before = count();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
