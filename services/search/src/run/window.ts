/** Which objects of a result the caller wants. */
export interface Window {
  /** How many to leave out first. */
  readonly offset: number;
  /** How many at most; absent for all. */
  readonly limit?: number;
}

/**
 * The part of a result that lies in the window; nothing after its end is fetched. One page, perhaps empty, for each
 * page of the result, so that "nothing found" and "nothing in the window" stay different.
 */
export async function* inWindow<T>(
  pages: AsyncIterable<readonly T[]>,
  { offset, limit = Number.POSITIVE_INFINITY }: Window,
): AsyncGenerator<readonly T[]> {
  let before = 0;
  const end = offset + limit;
  for await (const page of pages) {
    yield page.slice(Math.max(offset - before, 0), Math.max(end - before, 0));
    before += page.length;
    if (before >= end) return;
  }
}
