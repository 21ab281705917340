/** The requested part of a result. */
export interface Window {
  /** Number of objects to skip. */
  readonly offset: number;
  /** Maximum number of objects; absent for all. */
  readonly limit?: number;
}

/**
 * The requested part of a result; fetches nothing after its end. Yields one page, perhaps empty, for each page of the
 * result, to distinguish "nothing found" from "nothing in the window".
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
