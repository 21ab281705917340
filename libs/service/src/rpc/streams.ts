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

/** Writes all items, at the pace of the reader. */
export async function writeAll<T>(signal: AbortSignal, items: AsyncIterable<T>, stream: Writable): Promise<void> {
  for await (const item of until(signal, items)) {
    if (!stream.write(item)) await drained(signal, stream);
  }
}

function drained(signal: AbortSignal, stream: Writable): Promise<void> {
  let ready = () => {};
  const drain = new Promise<void>((resolve) => {
    ready = resolve;
  });
  stream.once('drain', ready);
  return orAborted(signal, drain).finally(() => stream.off('drain', ready));
}

/** The messages of a stream. Leaving the loop early does not destroy it: the other direction may still be in use. */
export function messagesOf<T>(stream: Readable): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => stream.iterator({ destroyOnReturn: false }) as AsyncIterator<T> };
}
