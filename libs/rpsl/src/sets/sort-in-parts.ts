/** Items to sort or merge before other work may run: a fraction of a millisecond. */
const partItems = 500;

/**
 * Sorts items; the sort is stable. Awaits `pause` after each part of the work, so that other work of the process runs
 * first. Items that are in order already cost one comparison each and another for each part.
 */
export async function sortInParts<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  pause: () => Promise<unknown>,
): Promise<readonly T[]> {
  let from: T[] = [];
  for (let at = 0; at < items.length; at += partItems) {
    for (const item of items.slice(at, at + partItems).sort(compare)) from.push(item);
    await pause();
  }
  let to = new Array<T>(from.length);
  for (let run = partItems; run < from.length; run *= 2) {
    for (let start = 0; start < from.length; start += 2 * run) {
      await merge(
        from,
        to,
        { start, middle: start + run, end: Math.min(from.length, start + 2 * run) },
        compare,
        pause,
      );
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Two sorted runs, one after the other; the second one may be missing. */
interface Runs {
  readonly start: number;
  readonly middle: number;
  readonly end: number;
}

async function merge<T>(
  from: readonly T[],
  to: T[],
  { start, middle, end }: Runs,
  compare: (a: T, b: T) => number,
  pause: () => Promise<unknown>,
): Promise<void> {
  const isInOrder = middle >= end || compare(from[middle - 1]!, from[middle]!) <= 0;
  let [left, right] = [start, isInOrder ? end : middle];
  // If in order, the left run has everything.
  const leftEnd = isInOrder ? end : middle;
  for (let at = start; at < end; at++) {
    const isLeft = left < leftEnd && (right >= end || compare(from[left]!, from[right]!) <= 0);
    to[at] = from[isLeft ? left++ : right++]!;
    if ((at - start) % partItems === partItems - 1) await pause();
  }
}
