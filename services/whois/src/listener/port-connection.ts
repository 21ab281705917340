import type { Socket } from 'node:net';
import type { BoundedConnection } from '@cadastre/service';

/** A connection that another process, or another part of this one, serves. */
export interface ServedConnection {
  /** Bytes that it has carried. */
  readonly carriedBytes: number;
  readonly closed: Promise<void>;
  destroy(): void;
}

/** A connection of the port from its beginning to its end, whichever process serves it. */
export interface PortConnection extends BoundedConnection {
  readonly closed: Promise<void>;
  /** Another process, or TLS, serves the rest of it, and closes it. */
  servedBy(other: ServedConnection): void;
}

/** Makes the connection of a socket. */
export function createPortConnection(socket: Socket): PortConnection {
  let other: ServedConnection | undefined;
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  socket.once('close', close);
  return {
    remoteAddress: socket.remoteAddress,
    get bytesRead() {
      return other?.carriedBytes ?? socket.bytesRead;
    },
    get bytesWritten() {
      return other === undefined ? socket.bytesWritten : 0;
    },
    destroy: () => (other ?? socket).destroy(),
    closed,
    servedBy(now) {
      other = now;
      now.closed.then(close);
    },
  };
}
