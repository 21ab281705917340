import type { Socket } from 'node:net';

/** Small answers are written together, up to so many bytes. */
const writeBytes = 64 * 1024;

/** Writes to a client as fast as it reads. */
export interface Writer {
  /** Adds bytes, and waits for the client while it has not read enough of the ones before. */
  add(bytes: Buffer): Promise<void>;
  /** Sends everything that was added, and waits until the client has read enough. */
  flush(): Promise<void>;
}

/** `add` and `flush` reject when the connection is closed, and close it when the client takes longer than `timeoutMs`. */
export function createWriter(socket: Socket, timeoutMs: number): Writer {
  let waiting: Buffer[] = [];
  let bytes = 0;
  const flush = async () => {
    if (bytes === 0) return;
    const all = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting, bytes);
    waiting = [];
    bytes = 0;
    if (socket.destroyed) throw new Error('The connection is closed');
    if (!socket.write(all)) await drained(socket, timeoutMs);
  };
  return {
    async add(more) {
      if (more.length === 0) return;
      waiting.push(more);
      bytes += more.length;
      if (bytes >= writeBytes) await flush();
    },
    flush,
  };
}

function drained(socket: Socket, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      socket.off('drain', onDrain).off('close', onClose);
    };
    const onDrain = () => {
      end();
      resolve();
    };
    const onClose = () => {
      end();
      reject(new Error('The connection was closed'));
    };
    const timer = setTimeout(() => socket.destroy(), timeoutMs);
    socket.on('drain', onDrain).on('close', onClose);
  });
}
