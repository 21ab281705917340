import type { Socket } from 'node:net';
import { nothing } from '../dialect.js';

/** Maximum bytes of small answers that are written together. */
const writeBytes = 64 * 1024;

/** Writes to a client as fast as it reads. */
export interface Writer {
  /** Adds bytes, and waits for the client while too many are unread. */
  add(bytes: Buffer): Promise<void>;
  /** Sends everything that was added, and waits until the client has read enough. */
  flush(): Promise<void>;
  /** Sends everything, and waits until the system has accepted it. */
  finish(): Promise<void>;
}

/** These reject when the connection is closed, and close it when the client takes longer than `timeoutMs`. */
export function createWriter(socket: Socket, timeoutMs: number): Writer {
  let waiting: Buffer[] = [];
  let bytes = 0;
  const flush = async () => {
    if (bytes === 0) return;
    const all = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting, bytes);
    waiting = [];
    bytes = 0;
    if (socket.destroyed) throw new Error('The connection is closed');
    if (!socket.write(all)) await unlessLate(socket, timeoutMs, (done) => socket.once('drain', done));
  };
  return {
    async add(more) {
      if (more.length === 0) return;
      waiting.push(more);
      bytes += more.length;
      if (bytes >= writeBytes) await flush();
    },
    flush,
    async finish() {
      await flush();
      if (socket.writableLength > 0) await unlessLate(socket, timeoutMs, (done) => socket.write(nothing, () => done()));
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
