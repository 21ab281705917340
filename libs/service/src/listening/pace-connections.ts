import type { Server, Socket } from 'node:net';

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
  const waiting = new Map<string, Socket[]>();
  /** The first connection of the network whose turn it is. */
  const takeNext = (): Socket | undefined => {
    for (const [network, sockets] of waiting) {
      const first = sockets.shift();
      waiting.delete(network);
      if (sockets.length > 0) waiting.set(network, sockets);
      return first;
    }
    return undefined;
  };
  const beginSome = () => {
    let begun = 0;
    for (let socket = takeNext(); socket !== undefined; socket = takeNext()) {
      if (socket.destroyed) continue;
      socket.off('error', ignore);
      for (const listener of listeners) listener.call(server, socket);
      if (++begun === perTurn) break;
    }
    if (waiting.size > 0) setImmediate(beginSome);
  };
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    const network = networkAt(socket.remoteAddress);
    socket.on('error', ignore);
    if (waiting.size === 0) setImmediate(beginSome);
    const sockets = waiting.get(network);
    if (sockets === undefined) waiting.set(network, [socket]);
    else sockets.push(socket);
  });
}
