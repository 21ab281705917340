import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { createHandovers } from '../src/index-process/handovers.js';
import type { MessageToIndex } from '../src/index-process/messages.js';

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

test('one that breaks before it is sent is closed, and is not sent', async () => {
  const sent: MessageToIndex[] = [];
  const { handOver } = createHandovers((message) => sent.push(message) > 0);
  const socket = await open();
  const { closed } = handOver({ socket, client: '192.0.2.1', received: Buffer.from('!!\n'), staysOpen: true });
  socket.destroy();
  await closed;
  expect(sent).toEqual([]);
});
