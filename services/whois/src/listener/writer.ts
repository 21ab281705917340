import type { Socket } from 'node:net';
import type { AnswerMemory } from '@cadastre/service';
import { nothing } from '../dialect.js';

/** Maximum bytes of small answers that are written together. */
const writeBytes = 64 * 1024;
/** Up to this many unread bytes of a connection count as nothing. */
export const smallBytes = 16 * 1024;

export interface WriterOptions {
  /** Maximum time for the client to read the sent bytes, in milliseconds. */
  readonly writeTimeoutMs: number;
  /** Counts bytes of all dialects from here on until their client has read them. */
  readonly memory: AnswerMemory;
  /** The identifier of the client there. */
  readonly client: string;
  /** Closes the connection: its client reads too slowly while others need the memory. */
  giveUp(): void;
}

/** Writes to a client as fast as it reads. */
export type Writer = ReturnType<typeof createWriter>;

/**
 * These reject when the connection is closed, and when there is no memory for what the client has not read; they close
 * it when the client takes longer than the timeout.
 */
export function createWriter(socket: Socket, { writeTimeoutMs: timeoutMs, memory, client, giveUp }: WriterOptions) {
  const untilRead = () => unlessLate(socket, timeoutMs, (done) => socket.write(nothing, () => done()));
  let waiting: Buffer[] = [];
  let bytes = 0;
  const flush = async () => {
    if (bytes === 0) return;
    const all = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting, bytes);
    waiting = [];
    bytes = 0;
    if (socket.destroyed) throw new Error('The connection is closed');
    socket.write(all);
    if (socket.writableLength <= smallBytes) return;
    const share = memory.take(client, socket.writableLength);
    share.readUntil(giveUp);
    try {
      await untilRead();
    } finally {
      share.release();
    }
  };
  return {
    /** Adds bytes, and waits for the client while too many are unread. */
    async add(more: Buffer): Promise<void> {
      if (more.length === 0) return;
      waiting.push(more);
      bytes += more.length;
      if (bytes >= writeBytes) await flush();
    },
    /** Sends everything that was added, and waits until the client has read enough. */
    flush,
    /** Sends everything, and waits until the system has accepted it. */
    async finish(): Promise<void> {
      await flush();
      if (socket.writableLength > 0) await untilRead();
    },
  };
}

/** Waits until the client has read enough; after the timeout, closes the connection and rejects. */
function unlessLate(socket: Socket, timeoutMs: number, wait: (done: () => void) => void): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(), timeoutMs);
    const closed = () => {
      clearTimeout(timer);
      reject(new Error('The connection was closed'));
    };
    socket.once('close', closed);
    wait(() => {
      clearTimeout(timer);
      socket.off('close', closed);
      resolve();
    });
  });
}
