import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { createHandovers } from '../src/index-process/handovers.js';
import type { MessageToIndex } from '../src/index-process/index-service.js';

const server = createServer().listen(0, '127.0.0.1');
afterAll(() => server.close());

async function open(): Promise<Socket> {
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as { port: number };
  connect(port, '127.0.0.1').on('error', () => {});
  const [socket] = await once(server, 'connection');
  return socket;
}
test('a connection is as busy as the index process reports', async () => {
  const sent: MessageToIndex[] = [];
  const { handOver, received } = createHandovers((message) => sent.push(message) > 0);
  const served = handOver({
    socket: await open(),
    client: '192.0.2.1',
    received: Buffer.from('!!\n'),
    staysOpen: true,
  });
  const before = served.carriedBytes;
  received({
    kind: 'report',
    failures: {},
    carried: [
      [1, 1_000],
      [2, 5],
    ],
  });
  expect(served.carriedBytes).toBeGreaterThan(before);
});

test('the next one is of the client whose connections were short lately', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const sent: number[] = [];
  const { handOver, received } = createHandovers(
    (message) => message.kind === 'connection' && sent.push(message.id) > 0,
  );
  const from = async (client: string) => {
    const socket = await open();
    handOver({ socket, client, received: Buffer.from('!!\n'), staysOpen: true });
  };
  const answer = async (id: number, ms: number) => {
    received({ kind: 'taken', id });
    clock.mockReturnValue(clock() + ms);
    received({ kind: 'closed', id });
    await turn();
  };
  await from('192.0.2.1');
  await answer(1, 3_000);
  await from('192.0.2.2');
  await answer(2, 5);
  for (const client of ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.2']) await from(client);
  for (const id of [3, 5, 7, 4, 6]) await answer(id, 5);
  expect(sent).toEqual([1, 2, 3, 5, 7, 4, 6]);
  clock.mockRestore();
});

test('of clients with as short connections, each network has its turn', async () => {
  const sent: number[] = [];
  const { handOver, received } = createHandovers(
    (message) => message.kind === 'connection' && sent.push(message.id) > 0,
  );
  for (const client of ['2001:db8:1::1', '2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1', '192.0.2.1']) {
    handOver({ socket: await open(), client, received: Buffer.from('!!\n'), staysOpen: true });
  }
  for (const id of [1, 2, 5, 3]) {
    received({ kind: 'taken', id });
    await turn();
  }
  expect(sent).toEqual([1, 2, 5, 3, 4]);
});

test('one that breaks before it is sent is closed, and is not sent', async () => {
  const sent: MessageToIndex[] = [];
  const { handOver } = createHandovers((message) => sent.push(message) > 0);
  const socket = await open();
  const { closed } = handOver({ socket, client: '192.0.2.1', received: Buffer.from('!!\n'), staysOpen: true });
  socket.destroy();
  await closed;
  expect(sent).toEqual([]);
});

test('one with many bytes is refused while those that wait have too many', async () => {
  const { handOver, received } = createHandovers(() => true);
  const mebibyte = 1024 * 1024;
  const handOverWith = async (bytes: number) => {
    const socket = await open();
    return handOver({ socket, client: '192.0.2.1', received: Buffer.alloc(bytes), staysOpen: true });
  };
  for (let n = 0; n < 4; n++) await handOverWith(8 * mebibyte);
  await expect(handOverWith(20_000)).rejects.toThrow('Too many commands wait for the index process');
  await handOverWith(1_000);
  received({ kind: 'taken', id: 1 });
  await turn();
  await handOverWith(20_000);
});
