/** A line of two compared texts: in both, only in the old one, or only in the new one. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** The line difference of two texts, with the fewest removed and added lines. */
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

function unchanged(text: string): DiffLine {
  return { kind: 'same', text };
}

function diffMiddle(a: readonly string[], b: readonly string[]): DiffLine[] {
  const lengths = commonLengths(a, b);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push(unchanged(a[i]!));
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      lines.push({ kind: 'removed', text: a[i++]! });
    } else {
      lines.push({ kind: 'added', text: b[j++]! });
    }
  }
  return lines;
}

/** A shown line, or a gap. */
export interface ShownLine {
  readonly kind: DiffLine['kind'] | 'gap';
  readonly text: string;
}

/** The changed lines with some lines around them; each gap becomes one line of kind `gap`. */
export function nearChanges(lines: readonly DiffLine[], around: number): ShownLine[] {
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same');
  return lines.flatMap((line, index): ShownLine[] => {
    if (isNear(index)) return [line];
    return index === 0 || isNear(index - 1) ? [{ kind: 'gap', text: '…' }] : [];
  });
}

function linesOf(text: string): string[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .filter((line, index, all) => line !== '' || all.length > 1 || index > 0);
}

/** Length of the longest common subsequence of the lines from i of one and from j of the other. */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i]![j] = a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
    }
  }
  return lengths;
}
