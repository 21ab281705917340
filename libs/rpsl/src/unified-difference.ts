import { type DiffLine, diffLines } from './line-diff.js';

/** The unified difference of two texts, with one line of context. */
export function unifiedDifference(before: string, after: string): string {
  return hunks(diffLines(before, after)).join('');
}

const context = 1;
const marks = { same: ' ', removed: '-', added: '+' };

/** The hunks of a unified difference: changes with one line around them. */
function hunks(lines: readonly DiffLine[]): string[] {
  const isShown = lines.map((_, at) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== 'same'),
  );
  const texts: string[] = [];
  let [oldLine, newLine] = [1, 1];
  for (let at = 0; at < lines.length; ) {
    const end = isShown[at] ? endOfRun(isShown, at) : at + 1;
    const part = lines.slice(at, end);
    const [removed, added] = [
      part.filter(({ kind }) => kind !== 'added').length,
      part.filter(({ kind }) => kind !== 'removed').length,
    ];
    if (isShown[at]) {
      const body = part.map(({ kind, text }) => `${marks[kind]}${text}\n`).join('');
      texts.push(`@@ -${span(oldLine, removed)} +${span(newLine, added)} @@\n${body}`);
    }
    oldLine += removed;
    newLine += added;
    at = end;
  }
  return texts;
}

function endOfRun(isShown: readonly boolean[], from: number): number {
  const end = isShown.indexOf(false, from);
  return end === -1 ? isShown.length : end;
}

/** The range of lines of a hunk; an empty one has the line before it. */
function span(first: number, count: number): string {
  return count === 1 ? String(first) : `${count === 0 ? first - 1 : first},${count}`;
}
