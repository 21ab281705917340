import type { Server, Socket } from 'node:net';
import { createFairQueue } from '../loop-turns.js';

/** Connections that begin in one turn of the event loop: a TLS handshake takes a millisecond or two. */
const perTurn = 4;

/** A client may reset its connection before anything listens to its errors. The socket is destroyed then. */
const ignore = () => {};

/**
 * Makes a server begin few connections in a turn of the event loop, of each network in its turn. Otherwise the requests
 * of open connections wait until all that have just arrived have made their TLS handshakes. Call it before anything else
 * listens to 'connection': later listeners get each connection as soon as it arrives, and may close it.
 */
export function paceConnections(server: Server, networkAt: (address: string | undefined) => string): void {
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
  const waiting = createFairQueue<Socket>();
  const beginSome = () => {
    let begun = 0;
    for (let socket = waiting.take(); socket !== undefined; socket = waiting.take()) {
      if (socket.destroyed) continue;
      socket.off('error', ignore);
      for (const listener of listeners) listener.call(server, socket);
      if (++begun === perTurn) break;
    }
    if (!waiting.isEmpty()) setImmediate(beginSome);
  };
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    socket.on('error', ignore);
    if (waiting.isEmpty()) setImmediate(beginSome);
    waiting.add(networkAt(socket.remoteAddress), socket);
  });
}
