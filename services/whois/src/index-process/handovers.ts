import type { Socket } from 'node:net';
import type { ServedConnection } from '../listener/port-connection.js';
import type { HandedConnection } from './index-service.js';
import type { MessageFromIndex, MessageToIndex } from './messages.js';

/** Sends a message, and a socket with it, which is then no longer ours. Returns whether it could. */
export type SendToIndex = (message: MessageToIndex, socket?: Socket) => boolean;

/** The connections of an index process. */
export interface Handovers {
  handOver(connection: HandedConnection): ServedConnection;
  received(message: MessageFromIndex): void;
  /** The process has ended. */
  end(): void;
}

/** A connection that the process has, or will have. */
interface Handed {
  carriedBytes: number;
  taken(): void;
  closed(): void;
  /** Closes a socket that was not sent. */
  giveUp(): void;
}

/** Makes them for one process. */
export function createHandovers(send: SendToIndex): Handovers {
  const open = new Map<number, Handed>();
  let last = 0;
  let queue = Promise.resolve();
  return {
    handOver({ socket, client, received, staysOpen }) {
      const id = ++last;
      let isSent = false;
      const taken = Promise.withResolvers<void>();
      const closed = Promise.withResolvers<void>();
      const handed: Handed = {
        carriedBytes: received.length,
        taken: taken.resolve,
        closed() {
          open.delete(id);
          taken.resolve();
          closed.resolve();
        },
        giveUp: () => isSent || socket.destroy(),
      };
      open.set(id, handed);
      // The client may close it while it waits.
      socket.once('close', handed.closed);
      // One after the other: while a socket waits in the queue of Node.js, it is still read from, and those bytes are lost.
      queue = queue.then(() => {
        if (socket.destroyed) return undefined;
        const later: Buffer | null = socket.read();
        stopReading(socket);
        const bytes = later === null ? received : Buffer.concat([received, later]);
        isSent = send({ kind: 'connection', id, client, received: bytes, staysOpen }, socket);
        return taken.promise;
      });
      return {
        get carriedBytes() {
          return handed.carriedBytes;
        },
        closed: closed.promise,
        destroy() {
          if (isSent) send({ kind: 'close', id });
          else socket.destroy();
        },
      };
    },
    received(message) {
      if (message.kind === 'taken') open.get(message.id)?.taken();
      if (message.kind === 'closed') open.get(message.id)?.closed();
      if (message.kind !== 'report') return;
      for (const [id, bytes] of message.carried) {
        const handed = open.get(id);
        if (handed !== undefined) handed.carriedBytes = bytes;
      }
    },
    end() {
      for (const handed of open.values()) {
        handed.giveUp();
        handed.closed();
      }
    },
  };
}

/**
 * Until the process has the socket, its bytes stay in the system: what this process reads is lost. `pause` goes on reading
 * into the stream, and Node.js has no other public way (nodejs/node#8353).
 */
function stopReading(socket: Socket): void {
  const { _handle } = socket as Socket & { _handle: { reading: boolean; readStop(): void } };
  _handle.reading = false;
  _handle.readStop();
}
