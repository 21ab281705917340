import type { Readable, Writable } from 'node:stream';

/** Yields items until the signal is aborted, then throws its reason at once. */
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

/** Messages of a stream in both directions, and requests, are small: a service handles together those that have arrived. */
export const smallAhead = 15;

/**
 * Writes all items, at the pace of the reader. `ahead` is the number of items that wait until HTTP/2 has taken those before;
 * with 0 the next item is requested when the one before is taken. (The `drain` event would come only after 16 items, which
 * may have a megabyte each.)
 */
export async function writeAll<T>(
  signal: AbortSignal,
  items: AsyncIterable<T>,
  stream: Writable,
  ahead: number,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  const waiting: Promise<void>[] = [];
  try {
    for (;;) {
      const { done, taken } = await writeNext(signal, iterator, stream);
      if (done) return;
      waiting.push(taken);
      if (waiting.length > ahead) await orAborted(signal, waiting.shift()!);
    }
  } finally {
    // Not awaited: a pending iterator would delay the end.
    void iterator.return?.().catch(() => undefined);
  }
}

/** In a function of its own: nobody holds the item while the iterator makes the next one. */
async function writeNext<T>(signal: AbortSignal, iterator: AsyncIterator<T>, stream: Writable) {
  const { done, value } = await orAborted(signal, iterator.next());
  return { done, taken: done ? Promise.resolve() : written(stream, value) };
}

/** Resolves when HTTP/2 has taken the item. When the call fails it does so never: the signal of the call ends the wait. */
function written(stream: Writable, item: unknown): Promise<void> {
  return new Promise((resolve) => {
    stream.write(item, (error) => {
      if (!error) resolve();
    });
  });
}

/** The messages of a stream. Leaving the loop early does not destroy it: the other direction may still be in use. */
export function messagesOf<T>(stream: Readable): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => stream.iterator({ destroyOnReturn: false }) as AsyncIterator<T> };
}

/** Answers that have arrived and that nobody has read. */
const maxUnread = 2;

/** The same of answers, which may have a megabyte each: few arrive before they are read. */
export function answersOf<T>(stream: Readable): AsyncIterable<T> {
  // grpc-js makes streams that hold 16 messages, and has no option for that.
  const { _readableState: state } = stream as unknown as { readonly _readableState: { highWaterMark: number } };
  state.highWaterMark = maxUnread;
  return messagesOf(stream);
}
