/**
 * Processes items one after the other and yields the results; fetches the next item while it processes one. Always
 * finishes work that has begun, however it ends.
 */
export async function* oneAhead<T, R>(items: AsyncIterable<T>, work: (item: T) => Promise<R>): AsyncGenerator<R> {
  let running: Promise<R> | undefined;
  try {
    for await (const item of items) {
      if (running !== undefined) yield await running;
      running = work(item);
      running.catch(() => {}); // awaited in the next iteration
    }
    if (running !== undefined) yield await running;
  } finally {
    await running?.catch(() => {});
  }
}
