import type { Writable } from 'node:stream';
import { messageBytes } from './bounds.js';

/** Sends what was added in a turn of the event loop as one message, at the pace of the stream. */
export interface Outbox<M> {
  /** The message to add to; `bytes` is the approximate size of the addition. */
  message(bytes: number): M;
  /** Ends the stream after what was added. */
  end(): void;
  /** Sends nothing more. */
  close(): void;
}

/**
 * Makes an outbox; `empty` makes a message to add to. Calls `onBlocked` with true when the other side does not read
 * fast enough, and with false when it does again.
 */
export function createOutbox<M>(
  stream: Pick<Writable, 'write' | 'end' | 'on'>,
  empty: () => M,
  onBlocked: (isBlocked: boolean) => void = () => {},
): Outbox<M> {
  const full: M[] = [];
  let open: { readonly message: M; bytes: number } | undefined;
  let isScheduled = false;
  let isBlocked = false;
  let isEnding = false;
  let isClosed = false;

  const send = () => {
    isScheduled = false;
    while (!isBlocked && !isClosed) {
      const message = full.shift() ?? take();
      if (message === undefined) {
        isClosed = isEnding;
        if (isEnding) stream.end();
        return;
      }
      isBlocked = !stream.write(message);
      if (isBlocked) onBlocked(true);
    }
  };
  const take = () => {
    const message = open?.message;
    open = undefined;
    return message;
  };
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(send);
  };
  stream.on('drain', () => {
    isBlocked = false;
    onBlocked(false);
    send();
  });
  return {
    message(bytes) {
      if (open !== undefined && open.bytes + bytes > messageBytes) full.push(take()!);
      open ??= { message: empty(), bytes: 0 };
      open.bytes += bytes;
      schedule();
      return open.message;
    },
    end() {
      isEnding = true;
      schedule();
    },
    close() {
      isClosed = true;
    },
  };
}
