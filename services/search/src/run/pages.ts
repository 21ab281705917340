import { withSteps } from '@cadastre/service';

/** The items of `items`, each mapped. A generator would do the same with several more promises for each item. */
export function mapped<T, U>(items: AsyncIterable<T>, map: (item: T) => U): AsyncIterable<U> {
  return withSteps(items, async (iterator) => {
    const step = await iterator.next();
    return step.done ? step : { done: false, value: map(step.value) };
  });
}
