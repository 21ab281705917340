import { maximalPage } from '../index-port.js';

/** The requested part of a result. */
export interface Window {
  /** Number of objects to skip. */
  readonly offset: number;
  /** Maximum number of objects; absent for all. */
  readonly limit?: number;
}

/** The part of a page that is in the requested part. */
export type InWindow<P> = P & {
  /** Number of objects of the result up to the end of this page, including skipped ones. */
  readonly seen: number;
  /** Where the requested part ends on this page; undefined if it continues. The result itself may end earlier. */
  readonly end?: End;
};

/** The end of the requested part. */
export interface End {
  /** Number of objects of the page before the end. */
  readonly count: number;
  /** Whether more objects follow; after a full page that may be wrong. */
  readonly isFollowed: boolean;
}

/**
 * The requested part of a result; fetches at most one page after its end. Yields one page, possibly empty, for each
 * page of the result, to distinguish "nothing found" from "nothing in the window". `seen`: the number of objects before
 * the pages.
 */
export async function* inWindow<T, P extends { readonly objects: readonly T[] }>(
  pages: AsyncIterable<P>,
  { offset, limit = Number.POSITIVE_INFINITY }: Window,
  seen = 0,
): AsyncGenerator<InWindow<P>> {
  let before = seen;
  const end = offset + limit;
  const iterator = pages[Symbol.asyncIterator]();
  try {
    for (let step = await iterator.next(); !step.done; step = await iterator.next()) {
      const page = step.value;
      const { length } = page.objects;
      const count = Math.max(end - before, 0);
      const objects = page.objects.slice(Math.max(offset - before, 0), count);
      before += length;
      if (before < end) {
        yield { ...page, objects, seen: before };
      } else {
        const isFollowed = count < length || length >= maximalPage || !(await iterator.next()).done;
        yield { ...page, objects, seen: before, end: { count, isFollowed } };
        return;
      }
    }
  } finally {
    await iterator.return?.();
  }
}
