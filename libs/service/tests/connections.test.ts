import { connect as connectTcp, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { type ConnectOptions, ServiceError } from '../src/index.js';
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

/** A relay between client and server. */
interface Relay {
  address: string;
  /** Connections ever made. */
  made(): number;
  /** Open connections. */
  open(): number;
  /** Further connections go to another server. */
  leadTo(address: string): void;
  /** From now on neither side receives anything from the other, and their connections stay open. */
  freeze(): void;
}

async function relayTo(address: string): Promise<Relay> {
  let target = address;
  let made = 0;
  let frozen = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    made++;
    sockets.add(near);
    near.on('close', () => sockets.delete(near)).on('error', () => {});
    if (frozen) return;
    const far = connectTcp(Number(target.split(':')[1]), '127.0.0.1');
    far.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    near.on('data', (bytes) => frozen || far.write(bytes));
    far.on('data', (bytes) => frozen || near.write(bytes));
    far.on('end', () => frozen || near.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    address: `127.0.0.1:${(server.address() as { port: number }).port}`,
    made: () => made,
    open: () => sockets.size,
    leadTo: (other) => {
      target = other;
    },
    freeze: () => {
      frozen = true;
    },
  };
}

const keepalive = { timeMs: 20, timeoutMs: 60_000 };
const shortLived: Partial<ConnectOptions> = {
  connectionAgeMs: 20,
  keepalive,
  deadlineMs: Number.POSITIVE_INFINITY,
};

/** The numbers from 1 on; each waits until connections were renewed twice. */
async function* slowlyTo(n: number, relay: Relay): AsyncGenerator<number> {
  for (let i = 1; i <= n; i++) {
    const before = relay.made();
    await expect.poll(relay.made, { interval: 5 }).toBeGreaterThan(before + 1);
    yield i;
  }
}

const totals = [1, 3, 6, 10, 15, 21, 28, 36, 45, 55];
const numbers = totals.map((_, index) => index + 1);

test.each<[string, (calls: Numbers, relay: Relay) => Promise<unknown>, unknown]>([
  ['from the server', (calls) => all(calls.countTo(10)), numbers],
  ['from the client', (calls, relay) => calls.sum(slowlyTo(10, relay)), 55],
  ['in both directions', (calls, relay) => all(calls.running(slowlyTo(10, relay))), totals],
])('a stream %s outlives its connection many times', async (_, run, expected) => {
  let relay: Relay | undefined;
  const handlers = { ...arithmetic, countTo: (n: number) => slowlyTo(n, relay!) };
  relay = await relayTo((await serve(handlers, undefined, { keepalive })).address);
  const calls = client(relay.address, shortLived);
  // The client renews its connections from its first call on.
  await calls.double(1);
  expect(await run(calls, relay)).toEqual(expected);
  expect(relay.made()).toBeGreaterThan(20);
  await expect.poll(relay.open).toBeLessThanOrEqual(2);
});

test('new calls go to the current addresses of the name, and none fails', async () => {
  const first = await serve(arithmetic);
  const second = await serve({ ...arithmetic, double: async () => -1 });
  const relay = await relayTo(first.address);
  const calls = client(relay.address, shortLived);
  expect(await calls.double(4)).toBe(8);
  relay.leadTo(second.address);
  await expect.poll(() => calls.double(4)).toBe(-1);
});

test('connections stay when new ones fail', async () => {
  const { address } = await serve(arithmetic);
  const relay = await relayTo(address);
  const calls = client(relay.address, shortLived);
  expect(await calls.double(1)).toBe(2);
  relay.leadTo('127.0.0.1:1');
  const before = relay.made();
  await expect.poll(relay.made).toBeGreaterThan(before);
  expect(await calls.double(2)).toBe(4);
});

test('an unresponsive server is detected, also by streams on a replaced connection', async () => {
  const begun = signalled();
  const handlers = {
    ...arithmetic,
    async *countTo() {
      yield 1;
      begun.settle();
      await new Promise(() => {});
    },
    double: () => new Promise<number>(() => {}),
  };
  const relay = await relayTo((await serve(handlers)).address);
  const calls = client(relay.address, { ...shortLived, keepalive: { timeMs: 20, timeoutMs: 3_000 } });
  const running = [all(calls.countTo(1)), calls.sum(endless()), calls.double(1)].map(failureOf);
  await begun.promise;
  const before = relay.made();
  await expect.poll(relay.made).toBeGreaterThan(before + 2);
  relay.freeze();
  expect((await Promise.all(running)).map(({ kind }) => kind)).toEqual(Array(3).fill('unavailable'));
});

test('reads do not fail when one of two servers hangs, and later ones do not wait for it', async () => {
  const relays = await Promise.all([0, 1].map(async () => relayTo((await serve(arithmetic)).address)));
  const calls = client(relays.map(({ address }) => address).join(','), {
    idempotent: ['double', 'countTo'],
    keepalive: { timeMs: 20, timeoutMs: 5_000 },
  });
  const readAll = () => Promise.all([1, 2, 3, 4].flatMap((n) => [calls.double(n), all(calls.countTo(n))]));
  const expected = [1, 2, 3, 4].flatMap((n) => [2 * n, numbers.slice(0, n)]);
  await expect.poll(async () => [await readAll(), relays.map((relay) => relay.open())]).toEqual([expected, [1, 1]]);
  relays[0]!.freeze();
  expect(await readAll()).toEqual(expected);
  // The hung server no longer has a ready connection, so these do not wait even for the shortest time.
  const shortDeadline = { deadlineMs: 4_500 };
  expect(await Promise.all(numbers.map((n) => calls.sum(each(n), shortDeadline)))).toEqual(numbers);
});

test('a server that fails nearly all calls gets none for a while', async () => {
  let broken = true;
  let requested = 0;
  const failing = async (n: number) => {
    requested++;
    if (broken) throw new ServiceError('unavailable', 'no database');
    return 2 * n;
  };
  const servers = await Promise.all([serve({ ...arithmetic, double: failing }), serve(arithmetic)]);
  const calls = client(servers.map(({ address }) => address).join(','));
  const failures = async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => calls.double(1)));
    return results.filter(({ status }) => status === 'rejected').length;
  };
  await expect.poll(failures).toBeGreaterThan(0);
  // While the machine pauses, its time may end: then it fails again, and gets none for longer.
  const rounds = async () => {
    const seen = requested;
    return [await failures(), await failures(), requested - seen];
  };
  await expect.poll(rounds).toEqual([0, 0, 0]);
  broken = false;
  const before = requested;
  await expect.poll(async () => [await failures(), requested > before]).toEqual([0, true]);
});

test('an unresponsive client is detected', async () => {
  const begun = signalled();
  const left = signalled();
  const handlers = {
    ...arithmetic,
    async sum(items: AsyncIterable<number>) {
      try {
        for await (const _ of items) begun.settle();
        return 0;
      } finally {
        left.settle();
      }
    },
  };
  const { address } = await serve(handlers, undefined, { keepalive: { timeMs: 20, timeoutMs: 3_000 } });
  const relay = await relayTo(address);
  const keepalive = { timeMs: 20, timeoutMs: 3_000 };
  const calls = client(relay.address, { deadlineMs: Number.POSITIVE_INFINITY, keepalive });
  const sum = failureOf(calls.sum(endless()));
  await begun.promise;
  relay.freeze();
  await left.promise;
  expect((await sum).kind).toBe('unavailable');
});

async function* endless(): AsyncGenerator<number> {
  yield 1;
  await new Promise(() => {});
}
