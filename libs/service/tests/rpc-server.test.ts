import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { reservePort, ServiceError } from '../src/index.js';
import {
  afterwards,
  all,
  arithmetic,
  client,
  each,
  failureOf,
  type Numbers,
  serve,
  signalled,
} from './number-service.js';

test('a missing server is unavailable until it starts', async () => {
  const address = `127.0.0.1:${await reservePort()}`;
  const calls = client(address, { idempotent: ['double'] });
  expect((await failureOf(calls.sum(each(1)))).kind).toBe('unavailable');
  await serve(arithmetic, address);
  await expect.poll(() => calls.double(4).catch((error) => error.kind)).toBe(8);
});

test.each([true, false])(
  'an idempotent method is retried while its server is unavailable, if wanted: %s',
  async (retries) => {
    let requests = 0;
    const double = async () => {
      requests++;
      throw new ServiceError('unavailable', 'no database');
    };
    const calls = client((await serve({ ...arithmetic, double })).address, { idempotent: ['double'], retries });
    // Retries end a second after the beginning of the call, which a pause of the machine may take.
    await expect
      .poll(async () => {
        requests = 0;
        expect((await failureOf(calls.double(1))).kind).toBe('unavailable');
        return requests > 1;
      })
      .toBe(retries);
  },
);

test.each(['127.0.0.1', '[::1]'])('a server on [::] answers calls to %s', async (host) => {
  const { address } = await serve(arithmetic, '[::]:0');
  expect(await client(address.replace('[::]', host)).double(4)).toBe(8);
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
  const slowCall = calls.double(5);
  const endless = failureOf(all(calls.countTo(1)));
  await begun.promise;
  const stopped = server.stop(6_000);
  finish.settle();
  expect(await slowCall).toBe(5);
  expect((await endless).kind).toBe('unavailable');
  await stopped;
});

/** Longer than several pings of `oftenPinging`. */
const slowMs = 400;
const oftenPinging = { timeMs: 50, timeoutMs: 30_000 };

test.each<[string, (calls: Numbers) => Promise<unknown>]>([
  ['in an exchange', (calls) => calls.double(3)],
  ['of its own', (calls) => calls.sum(each(1, 2))],
])('stopping lets a call %s finish while its client pings the connection', async (_which, work) => {
  const begun = signalled();
  const slow = async () => {
    begun.settle();
    await new Promise((resolve) => setTimeout(resolve, slowMs));
    return 7;
  };
  const { server, address } = await serve({ ...arithmetic, double: slow, sum: slow });
  const call = work(client(address, { keepalive: oftenPinging }));
  await begun.promise;
  await Promise.all([server.stop(60_000), expect(call).resolves.toBe(7)]);
});

describe('unix sockets', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cadastre-unix-'));
    afterwards(() => rm(directory, { recursive: true }));
  });

  test('one in use is not replaced', async () => {
    await serve(arithmetic, `unix:${directory}/s`);
    await expect(serve(arithmetic, `unix:${directory}/s`)).rejects.toThrow('in use');
  });

  test('a stale one of a killed process is replaced', async () => {
    const file = `${directory}/s`;
    const leave = `require('node:net').createServer().listen(${JSON.stringify(file)}, () => process.kill(process.pid, 'SIGKILL'))`;
    expect(() => execFileSync(process.execPath, ['-e', leave])).toThrow();
    await serve(arithmetic, `unix:${file}`);
    expect(await client(`unix:${file}`).double(1)).toBe(2);
  });
});

test('an address in use fails the start', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  afterwards(() => new Promise((resolve) => other.close(resolve)));
  const { port } = other.address() as { port: number };
  await expect(serve(arithmetic, `127.0.0.1:${port}`)).rejects.toThrow();
});
