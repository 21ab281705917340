/**
 * Works on items one after the other and yields the results; while the work on one is running, the next item is
 * already being fetched. Work that was begun is always finished before this ends, however it ends.
 */
export async function* oneAhead<T, R>(items: AsyncIterable<T>, work: (item: T) => Promise<R>): AsyncGenerator<R> {
  let running: Promise<R> | undefined;
  try {
    for await (const item of items) {
      if (running !== undefined) yield await running;
      running = work(item);
      running.catch(() => {}); // awaited in the next round
    }
    if (running !== undefined) yield await running;
  } finally {
    await running?.catch(() => {});
  }
}
