/** A line of two compared texts: in both, only in the old one, or only in the new one. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** After this many changes it searches for no shorter difference: time and memory would grow with their square. */
const maxChanges = 1_000;

/**
 * The line difference of two texts, with the fewest removed and added lines. When these are more than 1,000, all lines
 * between the first and the last difference are removed and added.
 */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  // Skips equal lines at both ends, usually most of the text.
  const head = sameFrom(a, b);
  const tail = sameFrom(a.slice(head).reverse(), b.slice(head).reverse());
  return [
    ...a.slice(0, head).map(unchanged),
    ...diffMiddle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(unchanged),
  ];
}

/** Number of equal lines at the beginning. */
function sameFrom(a: readonly string[], b: readonly string[]): number {
  const differing = a.findIndex((line, index) => line !== b[index]);
  return differing < 0 ? a.length : differing;
}

const unchanged = (text: string): DiffLine => ({ kind: 'same', text });
const removed = (text: string): DiffLine => ({ kind: 'removed', text });
const added = (text: string): DiffLine => ({ kind: 'added', text });

function diffMiddle(a: readonly string[], b: readonly string[]): DiffLine[] {
  const reaches = reachesOf(a, b);
  if (reaches === undefined) return [...a.map(removed), ...b.map(added)];
  const lines: DiffLine[] = [];
  let [x, y] = [a.length, b.length];
  for (let changes = reaches.length - 1; changes >= 0; changes--) {
    const reach = reaches[changes]!;
    const isAddition = isBetterAddition(reach, x - y, changes);
    const from = isAddition ? x - y + 1 : x - y - 1;
    const startX = changes === 0 ? 0 : reach.get(from)!;
    const startY = changes === 0 ? 0 : startX - from;
    while (x > startX && y > startY) {
      lines.push(unchanged(a[--x]!));
      y--;
    }
    if (changes > 0) lines.push(isAddition ? added(b[--y]!) : removed(a[--x]!));
  }
  return lines.reverse();
}

/** By diagonal (lines of a less lines of b), how many lines of a are reached. */
type Reach = ReadonlyMap<number, number>;

/**
 * The reach of each diagonal, for each number of changes before the last one (the algorithm of Myers); undefined when
 * more than the maximum of changes are needed.
 */
function reachesOf(a: readonly string[], b: readonly string[]): Reach[] | undefined {
  const reaches: Reach[] = [];
  let reach = new Map([[1, 0]]);
  for (let changes = 0; changes <= maxChanges; changes++) {
    reaches.push(reach);
    const next = new Map<number, number>();
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = isBetterAddition(reach, diagonal, changes) ? reach.get(diagonal + 1)! : reach.get(diagonal - 1)! + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      if (x >= a.length && x - diagonal >= b.length) return reaches;
      next.set(diagonal, x);
    }
    reach = next;
  }
  return undefined;
}

/** Whether an added line reaches farther on a diagonal than a removed one. */
function isBetterAddition(reach: Reach, diagonal: number, changes: number): boolean {
  if (diagonal === -changes || diagonal === changes) return diagonal === -changes;
  return reach.get(diagonal - 1)! < reach.get(diagonal + 1)!;
}

function linesOf(text: string): string[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .filter((line, index, all) => line !== '' || all.length > 1 || index > 0);
}
