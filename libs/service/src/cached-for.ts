/**
 * Makes a function that reads a value at most once in `ms`, for all callers. A failed read counts, too: `read` decides
 * what callers get then.
 */
export function cachedFor<T>(ms: number, read: () => Promise<T>, now: () => number = Date.now): () => Promise<T> {
  let cached: { readonly until: number; readonly value: Promise<T> } | undefined;
  return () => {
    const time = now();
    if (cached === undefined || cached.until <= time) cached = { until: time + ms, value: read() };
    return cached.value;
  };
}
