import { type ExchangeRequest, type ExchangeResponse, ExchangeServiceService } from '@cadastre/proto/exchange';
import { Client, type ClientDuplexStream, credentials, Metadata, type StatusObject } from '@grpc/grpc-js';
import { describe, expect, test } from 'vitest';
import {
  afterwards,
  all,
  arithmetic,
  client,
  failureOf,
  type NumberHandlers,
  NumberService,
  serve,
  served,
  settled,
  signalled,
} from './number-service.js';

// Our clients call methods with one request through an exchange: rpc*.test.ts show that such calls behave like others.

test('many calls at once get their own answers', async () => {
  const calls = await served();
  const numbers = Array.from({ length: 2_000 }, (_, n) => n);
  expect(await Promise.all(numbers.map((n) => calls.double(n)))).toEqual(numbers.map((n) => 2 * n));
});

test('an answer of many megabytes arrives whole, and others do not wait for it', async () => {
  const order: string[] = [];
  const calls = await served();
  const large = all(calls.countHuge(20)).then((numbers) => {
    order.push('large');
    return numbers;
  });
  const small = Promise.all([1, 2, 3].map((n) => calls.double(n))).then(() => order.push('small'));
  expect(await large).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  await small;
  expect(order).toEqual(['small', 'large']);
});

test('a server that stops answers what it has begun; what it has not seen goes to another one', async () => {
  const slow: NumberHandlers = {
    ...arithmetic,
    double: async (n) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return 2 * n;
    },
  };
  const servers = await Promise.all([serve(slow), serve(slow)]);
  const calls = client(servers.map(({ address }) => address).join(','));
  let stopped = false;
  let made = 0;
  const caller = async () => {
    while (!stopped) {
      const n = made++;
      expect(await calls.double(n)).toBe(2 * n);
    }
  };
  const callers = Promise.all(Array.from({ length: 10 }, caller));
  await expect.poll(() => made).toBeGreaterThan(100);
  await servers[0]!.server.stop(60_000);
  const before = made;
  await expect.poll(() => made).toBeGreaterThan(before + 100);
  stopped = true;
  await callers;
});

test('calls beyond ten thousand at once are refused, and the others get their answers', async () => {
  const gate = signalled();
  const calls = await served({
    double: async (n) => {
      await gate.promise;
      return 2 * n;
    },
  });
  const running = Array.from({ length: 10_000 }, (_, n) => calls.double(n, { deadlineMs: 60_000 }));
  expect((await failureOf(calls.double(1))).kind).toBe('exhausted');
  gate.settle();
  expect((await Promise.all(running)).at(-1)).toBe(19_998);
});

test('messages of every size follow each other', async () => {
  const calls = await served();
  const numbers = Array.from({ length: 60 }, (_, n) => n + 1);
  const read = await Promise.all([all(calls.countGrowing(60)), all(calls.countGrowing(60))]);
  expect(read).toEqual([numbers, numbers]);
});

describe('a client that is not ours', () => {
  type Raw = ClientDuplexStream<ExchangeRequest, ExchangeResponse>;

  /** An exchange whose client reads nothing. */
  async function rawExchange(handlers: Partial<NumberHandlers> = {}): Promise<Raw> {
    const { address } = await serve({ ...arithmetic, ...handlers });
    const foreign = new Client(address, credentials.createInsecure());
    const { path, requestSerialize, responseDeserialize } = ExchangeServiceService.exchange;
    const stream: Raw = foreign.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, new Metadata());
    stream.on('error', () => {});
    afterwards(() => {
      stream.cancel();
      foreign.close();
    });
    return stream;
  }

  const call = (number: number, method: string) => ({
    ...{ number, method, requestId: '', timeoutMs: 0, traceparent: '' },
    request: NumberService.double.requestSerialize(1_000),
  });
  const nothing = { calls: [], cancelled: [], taken: [] };

  /** Writes a message several times, each after the previous one was accepted. */
  function writeRepeatedly(stream: Raw, message: ExchangeRequest, times: number): void {
    if (times > 0) stream.write(message, () => setImmediate(() => writeRepeatedly(stream, message, times - 1)));
  }

  test('loses its exchange by a message that holds very many calls', async () => {
    const stream = await rawExchange();
    const ended = new Promise<StatusObject>((resolve) => stream.on('status', resolve));
    stream.resume();
    stream.write({ ...nothing, cancelled: Array.from({ length: 600_000 }, (_, n) => n % 100) });
    expect((await ended).code).not.toBe(0);
  });

  test('gets no more by saying that it took more than it got', async () => {
    let made = 0;
    const stream = await rawExchange({
      async *countHuge(n) {
        for (; made < n; made++) yield made;
      },
    });
    stream.write({ ...nothing, calls: [call(1, NumberService.countHuge.path)] });
    writeRepeatedly(stream, { ...nothing, taken: [{ number: 1, bytes: 4_000_000_000 }] }, 3_000);
    await settled(() => made);
    expect(made).toBeLessThan(100);
  });
});
