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
