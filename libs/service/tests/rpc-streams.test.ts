import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { sourceArguments } from '../src/run-sources.js';
import { afterwards, all, each, served, settled, signalled } from './number-service.js';

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

test('an error in the request iterator fails the call with that error', async () => {
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

test('many short messages in both directions by a unix socket do not block each other', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'cadastre-streams-'));
  afterwards(() => rm(directory, { recursive: true }));
  const program = fileURLToPath(new URL('short-messages.fixture.ts', import.meta.url));
  const argumentsOf = (role: string) => [...sourceArguments, program, role, `unix:${directory}/s`];
  const server = spawn(process.execPath, argumentsOf('server'), { stdio: ['ignore', 'pipe', 'inherit'] });
  afterwards(() => server.kill());
  await once(server.stdout, 'data');
  const { stdout } = await promisify(execFile)(process.execPath, argumentsOf('client'));
  expect(stdout).toBe('120000\n');
});

test('large responses share a connection: a small one does not wait for their end', async () => {
  const calls = await served();
  const length = 200;
  const read = [0, 0, 0, 0];
  const reading = read.map(async (_, at) => {
    for await (const _number of calls.countWide(length)) read[at]!++;
  });
  await Promise.race(reading);
  const whenOneHadEnded = [...read];
  await Promise.all(reading);
  expect(read).toEqual([length, length, length, length]);
  expect(Math.min(...whenOneHadEnded)).toBeGreaterThan(length / 2);
});

test('a reader that takes nothing more stops a handler of large messages', async () => {
  let made = 0;
  const calls = await served({
    async *countHuge(n) {
      for (; made < n; made++) yield made;
    },
  });
  let read = 0;
  for await (const _ of calls.countHuge(40)) {
    read += 1;
    if (read === 1) await settled(() => made);
    // Two unread ones, and those in flight.
    if (read === 1) expect(made).toBeLessThanOrEqual(5);
  }
  expect(read).toBe(40);
});
