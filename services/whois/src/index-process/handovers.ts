import type { Socket } from 'node:net';
import { createClientCosts } from '@cadastre/service';
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
  /** Closes what this process has of it. */
  giveUp(): void;
}

/** Connections that last so long, in milliseconds, are alike; longer ones than the second time, too. */
const durations = { quickMs: 16, maxMs: 10_000 };

/**
 * Makes them for one process. Node.js sends one socket at a time, and a busy process takes a hundred in a second: those of
 * clients go first whose connections were short lately.
 */
export function createHandovers(send: SendToIndex): Handovers {
  const open = new Map<number, Handed>();
  const costs = createClientCosts(durations);
  /** What sends the waiting connections and resolves when the process has them, by the cost of their client on arrival. */
  const waiting = new Map<number, (() => Promise<void>)[]>();
  let isSending = false;
  let last = 0;
  const sendAll = async () => {
    if (isSending) return;
    isSending = true;
    while (waiting.size > 0) {
      const order = Math.min(...waiting.keys());
      const alike = waiting.get(order)!;
      const sendNext = alike.shift()!;
      if (alike.length === 0) waiting.delete(order);
      await sendNext();
    }
    isSending = false;
  };
  return {
    handOver({ socket, client, received, staysOpen }) {
      const id = ++last;
      let isSent = false;
      let sentAt = 0;
      const handle = handleOf(socket);
      const taken = Promise.withResolvers<void>();
      const closed = Promise.withResolvers<void>();
      const handed: Handed = {
        carriedBytes: received.length,
        taken: taken.resolve,
        closed() {
          if (open.delete(id) && isSent) costs.note(client, performance.now() - sentAt);
          taken.resolve();
          closed.resolve();
        },
        // Node.js keeps its copy open when the process ends before it has confirmed a socket. To close it twice is safe.
        giveUp: () => (isSent ? handle?.close() : socket.destroy()),
      };
      open.set(id, handed);
      // The client may close it while it waits.
      socket.once('close', handed.closed);
      // One after the other: while a socket waits in the queue of Node.js, it is still read from, and those bytes are lost.
      const sendOne = async () => {
        if (socket.destroyed) return;
        const later: Buffer | null = socket.read();
        // Until the process has the socket, its bytes stay in the system: what this process reads is lost.
        if (handle) handle.reading = false;
        handle?.readStop();
        const bytes = later === null ? received : Buffer.concat([received, later]);
        sentAt = performance.now();
        isSent = send({ kind: 'connection', id, client, received: bytes, staysOpen }, socket);
        await taken.promise;
      };
      const order = costs.orderOf(client);
      const alike = waiting.get(order);
      if (alike === undefined) waiting.set(order, [sendOne]);
      else alike.push(sendOne);
      queueMicrotask(sendAll);
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

/** What the system has of a socket, which Node.js does not document; null when it is closed. */
interface Handle {
  reading: boolean;
  readStop(): void;
  close(): void;
}

/** `pause` goes on reading into the stream: there is no other way to stop it (nodejs/node#8353). */
function handleOf(socket: Socket): Handle | null {
  return (socket as Socket & { readonly _handle: Handle | null })._handle;
}
