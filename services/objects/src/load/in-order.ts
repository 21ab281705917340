/**
 * Works on up to `limit` items concurrently and yields the results in the order of the items. It fetches an item only
 * when the reader requests a result and less than `limit` results wait. When the items fail, it first yields the
 * results before. However it ends, it leaves no work running.
 */
export async function* inOrder<T, R>(
  items: AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  const source = items[Symbol.asyncIterator]();
  try {
    const fill = async () => {
      while (running.length < limit) {
        const next = await source.next();
        if (next.done) return true;
        const result = work(next.value);
        result.catch(() => {}); // awaited in its turn
        running.push(result);
      }
      return false;
    };
    let ended: { readonly failure?: unknown } | undefined;
    for (;;) {
      ended ??= await fill().then(
        (done) => (done ? {} : undefined),
        (failure: unknown) => ({ failure }),
      );
      const first = running.shift();
      if (first !== undefined) yield await first;
      else if (ended !== undefined && 'failure' in ended) throw ended.failure;
      else return;
    }
  } finally {
    await Promise.allSettled(running);
    await source.return?.();
  }
}
