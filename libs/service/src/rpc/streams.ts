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

/**
 * Writes all items, at the pace of the reader. `ahead` is the number of items, 0 or 1, that wait until HTTP/2 has taken
 * those before; with 0 the next item is requested when the one before is taken. (The `drain` event would come only after
 * 16 items, which may have a megabyte each.)
 */
export async function writeAll<T>(
  signal: AbortSignal,
  items: AsyncIterable<T>,
  stream: Writable,
  ahead: 0 | 1 = 1,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (let before = Promise.resolve(); ; ) {
      const { done, taken } = await writeNext(signal, iterator, stream);
      if (done) return;
      await orAborted(signal, ahead === 0 ? taken : before);
      before = taken;
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

/** Messages that have arrived and that nobody has read. */
const maxUnread = 2;

/** The messages of a stream. Leaving the loop early does not destroy it: the other direction may still be in use. */
export function messagesOf<T>(stream: Readable): AsyncIterable<T> {
  // grpc-js makes streams that hold 16 messages, of perhaps a megabyte each, and has no option for that.
  const { _readableState: state } = stream as unknown as { readonly _readableState: { highWaterMark: number } };
  state.highWaterMark = maxUnread;
  return { [Symbol.asyncIterator]: () => stream.iterator({ destroyOnReturn: false }) as AsyncIterator<T> };
}
