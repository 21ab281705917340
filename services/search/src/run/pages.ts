/** The items of `items`, each mapped. A generator would do the same with several more promises for each item. */
export function mapped<T, U>(items: AsyncIterable<T>, map: (item: T) => U): AsyncIterable<U> {
  return withSteps(items, async (iterator) => {
    const step = await iterator.next();
    return step.done ? step : { done: false, value: map(step.value) };
  });
}

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
