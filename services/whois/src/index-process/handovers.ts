import type { Socket } from 'node:net';
import { networksOf } from '@cadastre/limits';
import { createClientCosts, createFairQueue, type FairQueue, ServiceError } from '@cadastre/service';
import type { ServedConnection } from '../listener/port-connection.js';
import { smallBytes } from '../listener/writer.js';
import type { HandedConnection, MessageFromIndex, MessageToIndex } from './index-service.js';

/** Sends a message, and a socket with it, which this process may no longer use. Returns whether it was sent. */
export type SendToIndex = (message: MessageToIndex, socket?: Socket) => boolean;

/** The connections of an index process. */
export type Handovers = ReturnType<typeof createHandovers>;

/** A connection that the process has, or will have. */
interface Handed {
  carriedBytes: number;
  taken(): void;
  closed(): void;
  /** Closes the rest of it in this process. */
  giveUp(): void;
}

/** Maximum bytes that were read of connections on their way; up to `smallBytes` of one count as nothing. */
const maxWaitingBytes = 32 * 1024 * 1024;

/** Durations below the first time, in milliseconds, count the same; so do those above the second time. */
const durations = { quickMs: 16, maxMs: 10_000 };

/**
 * Makes them for one process. Node.js sends one socket at a time, and a busy process accepts a hundred in a second:
 * clients whose recent connections were short come first, of each network in its turn.
 */
export function createHandovers(send: SendToIndex) {
  const open = new Map<number, Handed>();
  const costs = createClientCosts(durations);
  /**
   * Functions that send a waiting connection and resolve when the process has it, by the cost of their client on
   * arrival; of each network in its turn.
   */
  const waiting = new Map<number, FairQueue<() => Promise<void>>>();
  let waitingBytes = 0;
  let isSending = false;
  let last = 0;
  const sendAll = async () => {
    if (isSending) return;
    isSending = true;
    while (waiting.size > 0) {
      const order = Math.min(...waiting.keys());
      const alike = waiting.get(order)!;
      const sendNext = alike.take()!;
      if (alike.isEmpty()) waiting.delete(order);
      await sendNext();
    }
    isSending = false;
  };
  return {
    /** Throws a ServiceError (unavailable) for one with many bytes when those that wait have too many. */
    handOver({ socket, client, received, staysOpen }: HandedConnection): ServedConnection {
      const handle = handleOf(socket);
      const later: Buffer | null = socket.read();
      // From now on its bytes stay in the system: anything that this process reads is lost.
      if (handle) handle.reading = false;
      handle?.readStop();
      const bytes = later === null ? received : Buffer.concat([received, later]);
      const counted = bytes.length > smallBytes ? bytes.length : 0;
      if (counted > 0 && waitingBytes + counted > maxWaitingBytes) {
        throw new ServiceError('unavailable', 'Too many commands wait for the index process');
      }
      waitingBytes += counted;
      const id = ++last;
      let isSent = false;
      let sentAt = 0;
      const taken = Promise.withResolvers<void>();
      const closed = Promise.withResolvers<void>();
      taken.promise.then(() => {
        waitingBytes -= counted;
      });
      const handed: Handed = {
        carriedBytes: bytes.length,
        taken: taken.resolve,
        closed() {
          if (open.delete(id) && isSent) costs.note(client, performance.now() - sentAt);
          taken.resolve();
          closed.resolve();
        },
        // Node.js holds a copy open if the process ends before it has confirmed a socket. Closing it twice is safe.
        giveUp: () => (isSent ? handle?.close() : socket.destroy()),
      };
      open.set(id, handed);
      // The client may close it while it waits.
      socket.once('close', handed.closed);
      // One after the other: while a socket waits in the queue of Node.js, it is still read, and those bytes are lost.
      const sendOne = async () => {
        if (socket.destroyed) return;
        sentAt = performance.now();
        isSent = send({ kind: 'connection', id, client, received: bytes, staysOpen }, socket);
        await taken.promise;
      };
      const order = costs.orderOf(client);
      const alike = waiting.get(order) ?? createFairQueue();
      waiting.set(order, alike);
      alike.add(networksOf(client).prefix, sendOne);
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
    received(message: MessageFromIndex): void {
      if (message.kind === 'taken') open.get(message.id)?.taken();
      if (message.kind === 'closed') open.get(message.id)?.closed();
      if (message.kind !== 'report') return;
      for (const [id, bytes] of message.carried) {
        const handed = open.get(id);
        if (handed !== undefined) handed.carriedBytes = bytes;
      }
    },
    /** The process has ended. */
    end(): void {
      for (const handed of open.values()) {
        handed.giveUp();
        handed.closed();
      }
    },
  };
}

/** The undocumented handle of a socket in Node.js; null when it is closed. */
interface Handle {
  reading: boolean;
  readStop(): void;
  close(): void;
}

/** `pause` would continue to read into the stream: there is no other way to stop it (nodejs/node#8353). */
function handleOf(socket: Socket): Handle | null {
  return (socket as Socket & { readonly _handle: Handle | null })._handle;
}
