import type { Readable } from 'node:stream';

/** Yields items until the signal is aborted, then throws its reason immediately. */
export async function* until<T>(signal: AbortSignal, items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await orAborted(signal, iterator.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a pending iterator would delay the end.
    void iterator.return?.().catch(() => undefined);
  }
}

/** The result of a promise; throws the signal's reason as soon as it is aborted. */
export function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const ended = () => signal.removeEventListener('abort', abort);
    work.then(
      (result) => {
        ended();
        resolve(result);
      },
      (error: unknown) => {
        ended();
        reject(error);
      },
    );
  });
}

/** Accepts messages, and reports when the other side has accepted one. */
interface MessageSink {
  write(bytes: Buffer, onTaken: (error?: Error | null) => void): unknown;
}

/**
 * Maximum bytes of messages that HTTP/2 has not accepted while the next one is requested; a larger message must be
 * accepted before that.
 */
const maxAheadBytes = 64 * 1024;

/**
 * Maximum messages that HTTP/2 has not accepted. Node.js does not read from a connection while it waits to write: when
 * both sides write hundreds of small messages in one turn of the event loop, the buffers of a unix socket are full in
 * both directions, and neither side reads again.
 */
const maxAhead = 16;

/**
 * Encodes and writes all items, at the pace of the reader. (The `drain` event would come only after 16 items, which may
 * have a megabyte each.)
 */
export async function writeAll<T>(
  signal: AbortSignal,
  items: AsyncIterable<T>,
  stream: MessageSink,
  encode: (item: never) => Buffer,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  const ahead = { bytes: 0, messages: 0 };
  const isFar = () => ahead.bytes > maxAheadBytes || ahead.messages >= maxAhead;
  let resume = () => {};
  /** In a function of its own, so that nothing holds the item while the iterator makes the next one. */
  const writeNext = async (): Promise<boolean> => {
    const { done, value } = await orAborted(signal, iterator.next());
    if (done) return false;
    const bytes = encode(value as never);
    ahead.bytes += bytes.length;
    ahead.messages += 1;
    // When the call fails nothing is accepted: the signal of the call ends the wait.
    stream.write(bytes, (error) => {
      if (error) return;
      ahead.bytes -= bytes.length;
      ahead.messages -= 1;
      if (!isFar()) resume();
    });
    return true;
  };
  try {
    while (await writeNext()) {
      if (isFar()) await orAborted(signal, new Promise<void>((resolve) => (resume = resolve)));
    }
  } finally {
    // Not awaited: a pending iterator would delay the end.
    void iterator.return?.().catch(() => undefined);
  }
}

/** The messages of a stream. Leaving the loop early does not destroy it: the other direction may still be in use. */
export function messagesOf<T>(stream: Readable): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => stream.iterator({ destroyOnReturn: false }) as AsyncIterator<T> };
}

/** Maximum answers that have arrived and are not yet read. */
const maxUnread = 2;

/** The answers of a stream, which may have a megabyte each: few arrive before they are read. */
export function answersOf<T>(stream: Readable): AsyncIterable<T> {
  // grpc-js makes streams that hold 16 messages, and has no option for that.
  const { _readableState: state } = stream as unknown as { readonly _readableState: { highWaterMark: number } };
  state.highWaterMark = maxUnread;
  return messagesOf(stream);
}

/** For grpc-js, where this library encodes or decodes the messages. */
export function asItIs(bytes: Buffer): Buffer {
  return bytes;
}
