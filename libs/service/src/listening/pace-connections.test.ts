import { EventEmitter } from 'node:events';
import type { Server } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { paceConnections } from './pace-connections.js';

function pacedServer() {
  const server = new EventEmitter() as Server;
  const begun: unknown[] = [];
  const arrived: unknown[] = [];
  server.on('connection', (socket) => begun.push(socket));
  paceConnections(server, (address = '') => address);
  server.on('connection', (socket) => arrived.push(socket));
  const arrive = (remoteAddress: string, count: number) =>
    Array.from({ length: count }, () => {
      const socket = Object.assign(new EventEmitter(), { remoteAddress, destroyed: false });
      server.emit('connection', socket);
      return socket;
    });
  return { begun, arrived, arrive };
}

test('few connections begin in a turn of the event loop, of each network in its turn; later listeners get them at once', async () => {
  const { begun, arrived, arrive } = pacedServer();
  const many = arrive('192.0.2.1', 20);
  const [one] = arrive('198.51.100.1', 1);
  expect(arrived).toEqual([...many, one]);
  expect(begun).toEqual([]);
  await turn();
  expect(begun).toEqual([many[0], one, many[1], many[2]]);
  for (let turns = 1; turns < 6; turns++) await turn();
  expect(begun.slice(4)).toEqual(many.slice(3));
});

test('a connection that its client resets while it waits ends nothing else', async () => {
  const { begun, arrive } = pacedServer();
  const [reset, other] = arrive('192.0.2.1', 2);
  reset!.destroyed = true;
  reset!.emit('error', new Error('read ECONNRESET'));
  await turn();
  expect(begun).toEqual([other]);
  // From now on the server hears of errors.
  expect(other!.listenerCount('error')).toBe(0);
});

test('a connection that was closed while it waited does not begin', async () => {
  const { begun, arrive } = pacedServer();
  const sockets = arrive('192.0.2.1', 6);
  for (const socket of sockets.slice(0, 4)) socket.destroyed = true;
  await turn();
  expect(begun).toEqual(sockets.slice(4));
  const [later] = arrive('192.0.2.1', 1);
  await turn();
  expect(begun.at(-1)).toBe(later);
});
