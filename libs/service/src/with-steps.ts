/** An iterable whose steps are those of `next`, and whose end is that of `items`. */
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
