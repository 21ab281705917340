import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Severity } from '@cadastre/proto/registry';
import { describe, expect, test } from 'vitest';
import { type Call, failureMessage, ServiceError } from '../src/index.js';
import {
  afterwards,
  all,
  arithmetic,
  client,
  each,
  failureOf,
  type NumberHandlers,
  NumberService,
  type Numbers,
  serve,
  served,
  signalled,
} from './number-service.js';
import { inMemoryClient } from './testing.js';

const transports: [string, (handlers?: Partial<NumberHandlers>) => Promise<Numbers>][] = [
  ['a TCP socket', served],
  [
    'a unix socket',
    async (handlers = {}) => {
      const directory = await mkdtemp(path.join(tmpdir(), 'cadastre-rpc-'));
      afterwards(() => rm(directory, { recursive: true }));
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
    const calls = await open({ double: () => Promise.reject(new Error('row 42 of table object')) });
    const error = await failureOf(calls.double(1));
    expect(error.kind).toBe('internal');
    expect(JSON.stringify([error.message, error.messages, String(error.cause)])).not.toContain('row 42');
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

test('a call on behalf of another ends a little earlier and carries its request identifier', async () => {
  let sent = 0;
  let underWayMs = 0;
  const inner = await served({
    double: async (_n, call) => {
      underWayMs = Date.now() - sent;
      return call.requestId === 'outer' ? call.deadline!.getTime() : 0;
    },
  });
  const deadlines = signalled<number[]>();
  const outer = await served({
    double: async (n, call) => {
      sent = Date.now();
      deadlines.settle([call.deadline!.getTime(), await inner.double(n, call)]);
      return n;
    },
  });
  await outer.double(1, { deadlineMs: 60_000, requestId: 'outer' });
  const [own, passedOn] = await deadlines.promise;
  // The call sends the remaining time, so the receiver's deadline is later by the travel time.
  expect(passedOn! - underWayMs).toBeLessThan(own!);
  expect(passedOn).toBeGreaterThan(own! - 100);
});
