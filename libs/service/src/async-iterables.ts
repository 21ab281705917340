/** An iterable that takes its steps from `next`, and its end from `items`. */
export function withSteps<T, U>(
  items: AsyncIterable<T>,
  next: (iterator: AsyncIterator<T>) => Promise<IteratorResult<U>>,
): AsyncIterable<U> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = items[Symbol.asyncIterator]();
      return {
        next: () => next(iterator),
        async return() {
          await iterator.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** One item, and then all others. */
export async function* startingWith<T>(first: T, others: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* others;
}

/** Feeds send a heartbeat every ten seconds. */
const defaultSilenceMs = 25_000;

/** The messages of a stream; cancels it when none arrives for `silenceMs`. Time spent in the reader does not count. */
export async function* unlessSilent<T>(
  open: (alive: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal,
  silenceMs = defaultSilenceMs,
): AsyncGenerator<T> {
  const silence = new AbortController();
  const expect = () => setTimeout(() => silence.abort(), silenceMs);
  let timer = expect();
  try {
    for await (const message of open(AbortSignal.any([signal, silence.signal]))) {
      clearTimeout(timer);
      yield message;
      timer = expect();
    }
  } finally {
    clearTimeout(timer);
  }
}
