/**
 * Reads the first items, up to `bytes` together, and returns whether there are as many. `all` yields these and the
 * others; when the items fail, it yields those before and then fails.
 */
export async function firstBytes<T>(
  items: AsyncGenerator<T>,
  bytes: number,
  sizeOf: (item: T) => number,
): Promise<{ readonly isLarge: boolean; readonly all: AsyncGenerator<T> }> {
  const first: T[] = [];
  let size = 0;
  let failure: { readonly error: unknown } | undefined;
  try {
    while (size < bytes) {
      const next = await items.next();
      if (next.done) break;
      first.push(next.value);
      size += sizeOf(next.value);
    }
  } catch (error) {
    failure = { error };
  }
  const all = (async function* () {
    yield* first.splice(0);
    if (failure !== undefined) throw failure.error;
    yield* items;
  })();
  return { isLarge: size >= bytes, all };
}
