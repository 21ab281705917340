/** The requested part of a result. */
export interface Window {
  /** Number of objects to skip. */
  readonly offset: number;
  /** Maximum number of objects; absent for all. */
  readonly limit?: number;
}

/** What a page of a result has of the requested part. */
export type InWindow<P> = P & {
  /** Number of objects of the result up to the end of this page, skipped ones included. */
  readonly seen: number;
  /** Whether the requested part ends here; the result itself may end earlier. */
  readonly isLast: boolean;
};

/**
 * The requested part of a result; fetches nothing after its end. Yields one page, perhaps empty, for each page of the
 * result, to distinguish "nothing found" from "nothing in the window". `seen`: the number of objects before the pages.
 */
export async function* inWindow<T, P extends { readonly objects: readonly T[] }>(
  pages: AsyncIterable<P>,
  { offset, limit = Number.POSITIVE_INFINITY }: Window,
  seen = 0,
): AsyncGenerator<InWindow<P>> {
  let before = seen;
  const end = offset + limit;
  for await (const page of pages) {
    const objects = page.objects.slice(Math.max(offset - before, 0), Math.max(end - before, 0));
    before += page.objects.length;
    yield { ...page, objects, seen: before, isLast: before >= end };
    if (before >= end) return;
  }
}
