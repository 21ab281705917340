import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Severity } from '@cadastre/proto/registry';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Call,
  connect,
  createMetrics,
  createRpcServer,
  failureMessage,
  type Handlers,
  implement,
  type RpcClient,
  type RpcServer,
  ServiceError,
} from '../src/index.js';
import { inMemoryClient, testLogger } from '../src/testing.js';

/** A contract with the four shapes of calls; messages are numbers in decimal text, a thousand characters wide. */
interface NumberMethod<Q extends boolean, S extends boolean> {
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
): NumberMethod<Q, S> {
  const toBytes = (value: number) => Buffer.from(String(value).padEnd(1000));
  const fromBytes = (bytes: Buffer) => Number(bytes.toString());
  return {
    path: `/cadastre.test.v1.NumberService/${name}`,
    requestStream,
    responseStream,
    requestSerialize: toBytes,
    requestDeserialize: fromBytes,
    responseSerialize: toBytes,
    responseDeserialize: fromBytes,
  };
}
const NumberService = {
  double: method('Double', false, false),
  countTo: method('CountTo', false, true),
  sum: method('Sum', true, false),
  running: method('Running', true, true),
};
type NumberHandlers = Handlers<typeof NumberService>;

const arithmetic: NumberHandlers = {
  double: async (n) => 2 * n,
  async *countTo(n) {
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

async function* each(...items: number[]): AsyncIterable<number> {
  yield* items;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

type Numbers = RpcClient<typeof NumberService> & { close(): void };

let stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  stops = [];
});

async function serve(
  handlers: NumberHandlers,
  address = '127.0.0.1:0',
): Promise<{ server: RpcServer; address: string }> {
  const implementations = [implement(NumberService, handlers)];
  const server = createRpcServer({
    name: 'numbers',
    logger: testLogger(),
    metrics: createMetrics('numbers'),
    address,
    implementations,
  });
  const bound = await server.start();
  stops.push(() => server.stop(100));
  return { server, address: bound.address };
}

function client(
  address: string,
  more: { idempotent?: (keyof typeof NumberService)[]; deadlineMs?: number } = {},
): Numbers {
  const made = connect(NumberService, { address, deadlineMs: 10_000, name: 'test', ...more });
  stops.push(() => made.close());
  return made;
}

async function served(handlers: Partial<NumberHandlers> = {}): Promise<Numbers> {
  return client((await serve({ ...arithmetic, ...handlers })).address);
}

async function failureOf(work: Promise<unknown>): Promise<ServiceError> {
  return work.then(
    () => expect.fail('the call should have failed'),
    (error) => error as ServiceError,
  );
}

/** A promise and the function that settles it. */
function signalled<T = void>(): { promise: Promise<T>; settle: (value: T) => void } {
  let settle: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}

const transports: [string, (handlers?: Partial<NumberHandlers>) => Promise<Numbers>][] = [
  ['a TCP socket', served],
  [
    'a unix socket',
    async (handlers = {}) => {
      const directory = await mkdtemp(path.join(tmpdir(), 'cadastre-rpc-'));
      stops.push(() => rm(directory, { recursive: true }));
      return client((await serve({ ...arithmetic, ...handlers }, `unix:${directory}/s`)).address);
    },
  ],
  ['memory', async (handlers = {}) => inMemoryClient(NumberService, { ...arithmetic, ...handlers })],
];

describe.each(transports)('over %s', (_, open) => {
  test('every shape of call works', async () => {
    const calls = await open();
    expect(await calls.double(21)).toBe(42);
    expect(await all(calls.countTo(3))).toEqual([1, 2, 3]);
    expect(await calls.sum(each(1, 2, 3))).toBe(6);
    expect(await all(calls.running(each(1, 2, 3)))).toEqual([1, 3, 6]);
  });

  test('a failure arrives as it was thrown, with its kind and all of its messages', async () => {
    const messages = [
      { ...failureMessage('%s is not a number', ['Zoë']), attribute: { name: 'size', value: ' Zoë' } },
      failureMessage('Half done', [], Severity.SEVERITY_WARNING),
    ];
    const refuse = () => Promise.reject(new ServiceError('conflict', messages));
    const calls = await open({ double: refuse });
    const error = await failureOf(calls.double(1));
    expect(error).toBeInstanceOf(ServiceError);
    expect({ kind: error.kind, messages: error.messages }).toEqual({ kind: 'conflict', messages });
  });

  test('a stream that fails late delivers what came before', async () => {
    const calls = await open({
      async *countTo() {
        yield 1;
        throw new ServiceError('out-of-range', 'No more');
      },
    });
    const seen: number[] = [];
    const error = await failureOf(
      (async () => {
        for await (const n of calls.countTo(9)) seen.push(n);
      })(),
    );
    expect([seen, error.kind]).toEqual([[1], 'out-of-range']);
  });

  test('an unknown exception hides its text', async () => {
    const calls = await open({ double: () => Promise.reject(new Error('password=hunter2')) });
    const error = await failureOf(calls.double(1));
    expect(error.kind).toBe('internal');
    expect(JSON.stringify([error.message, error.messages, String(error.cause)])).not.toContain('hunter2');
  });

  test('leaving a stream early ends its handler', async () => {
    const ended = signalled();
    const calls = await open({
      async *countTo(n, call) {
        try {
          for (let i = 1; i <= n && !call.signal.aborted; i++) yield i;
        } finally {
          ended.settle();
        }
      },
    });
    for await (const n of calls.countTo(1e9)) if (n === 3) break;
    await ended.promise;
  });

  test('an aborted signal cancels the call on both sides', async () => {
    const seen = signalled<Call>();
    const calls = await open({
      double: (_n, call) => {
        seen.settle(call);
        return new Promise(() => {});
      },
    });
    const cancellation = new AbortController();
    const failed = failureOf(calls.double(1, { signal: cancellation.signal }));
    const { signal } = await seen.promise;
    cancellation.abort();
    expect((await failed).kind).toBe('cancelled');
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  });

  test('the request identifier reaches the handler', async () => {
    const seen = signalled<string>();
    const done = (requestId: string) => {
      seen.settle(requestId);
      return 0;
    };
    const calls = await open({ double: async (_n, call) => done(call.requestId) });
    await calls.double(1, { requestId: 'request-7' });
    expect(await seen.promise).toBe('request-7');
  });
});

test('a fast handler waits for a slow reader', async () => {
  let produced = 0;
  const calls = await served({
    async *countTo(n) {
      for (; produced < n; produced++) yield produced;
    },
  });
  let read = 0;
  for await (const _ of calls.countTo(5000)) {
    read += 1;
    if (read === 1) await settled(() => produced);
    if (read === 1) expect(produced).toBeLessThan(2500);
  }
  expect(read).toBe(5000);
});

test('a fast caller waits for a slow handler', async () => {
  let sent = 0;
  const gate = signalled();
  const calls = await served({
    async sum(items) {
      let count = 0;
      for await (const _ of items) {
        count += 1;
        if (count === 1) await gate.promise;
      }
      return count;
    },
  });
  async function* many() {
    for (; sent < 5000; sent++) yield sent;
  }
  const total = calls.sum(many());
  await settled(() => sent);
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(2500);
  gate.settle();
  expect(await total).toBe(5000);
});

/** Waits until a count has come to a halt of itself. */
async function settled(count: () => number): Promise<void> {
  for (let before = -1; before !== count() || before === 0; ) {
    before = count();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test('requests that cannot be made fail the call with their own error', async () => {
  const calls = await served();
  async function* broken(): AsyncIterable<number> {
    yield 1;
    throw new RangeError('no second number');
  }
  await expect(calls.sum(broken())).rejects.toThrow(new RangeError('no second number'));
  await expect(all(calls.running(broken()))).rejects.toThrow(new RangeError('no second number'));
});

test('a handler may answer before it has read all requests', async () => {
  const calls = await served({
    async sum(items) {
      for await (const item of items) return item;
      return 0;
    },
    async *running(items) {
      for await (const item of items) {
        yield item;
        break;
      }
      yield -1;
    },
  });
  expect(await calls.sum(each(7, 8, 9))).toBe(7);
  expect(await all(calls.running(each(7, 8, 9)))).toEqual([7, -1]);
});

test('a call ends at its deadline, on both sides', async () => {
  const seen = signalled<Call>();
  const calls = await served({
    double: (_n, call) => {
      seen.settle(call);
      return new Promise(() => {});
    },
  });
  const error = await failureOf(calls.double(1, { deadlineMs: 100 }));
  expect(error.kind).toBe('timeout');
  const { signal } = await seen.promise;
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  expect(signal.reason).toMatchObject({ kind: 'timeout' });
});

test("a call made on another's behalf ends a little earlier than that and carries its identifier", async () => {
  const inner = await served({
    double: async (_n, call) => (call.requestId === 'outer' ? call.deadline!.getTime() : 0),
  });
  const deadlines = signalled<number[]>();
  const outer = await served({
    double: async (n, call) => {
      deadlines.settle([call.deadline!.getTime(), await inner.double(n, call)]);
      return n;
    },
  });
  await outer.double(1, { deadlineMs: 5000, requestId: 'outer' });
  const [own, passedOn] = await deadlines.promise;
  expect(passedOn).toBeLessThan(own!);
  expect(passedOn).toBeGreaterThan(own! - 100);
});

test('a server that is not there is unavailable, and reached when it has come', async () => {
  const { server, address } = await serve(arithmetic);
  await server.stop(0);
  const calls = client(address, { idempotent: ['double'] });
  expect((await failureOf(calls.sum(each(1)))).kind).toBe('unavailable');
  await serve(arithmetic, address);
  await expect.poll(() => calls.double(4).catch((error) => error.kind), { timeout: 10_000 }).toBe(8);
});

test('stopping lets running calls finish and cancels those that take too long', async () => {
  const begun = signalled();
  const finish = signalled();
  const { server, address } = await serve({
    ...arithmetic,
    double: async (n) => {
      begun.settle();
      await finish.promise;
      return n;
    },
    countTo: async function* () {
      yield 1;
      await new Promise(() => {});
    },
  });
  const calls = client(address);
  const patient = calls.double(5);
  const endless = failureOf(all(calls.countTo(1)));
  await begun.promise;
  const stopped = server.stop(500);
  finish.settle();
  expect(await patient).toBe(5);
  expect((await endless).kind).toBe('unavailable');
  await stopped;
});

describe('unix sockets', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cadastre-unix-'));
    stops.push(() => rm(directory, { recursive: true }));
  });

  test('one that is in use is not taken away', async () => {
    await serve(arithmetic, `unix:${directory}/s`);
    await expect(serve(arithmetic, `unix:${directory}/s`)).rejects.toThrow('in use');
  });

  test('one that a killed process left is replaced', async () => {
    const file = `${directory}/s`;
    const { execFileSync } = await import('node:child_process');
    const leave = `require('node:net').createServer().listen(${JSON.stringify(file)}, () => process.kill(process.pid, 'SIGKILL'))`;
    expect(() => execFileSync(process.execPath, ['-e', leave])).toThrow();
    await serve(arithmetic, `unix:${file}`);
    expect(await client(`unix:${file}`).double(1)).toBe(2);
  });
});

test('an address in use fails the start', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  stops.push(() => new Promise((resolve) => other.close(resolve)));
  const { port } = other.address() as { port: number };
  await expect(serve(arithmetic, `127.0.0.1:${port}`)).rejects.toThrow();
});
