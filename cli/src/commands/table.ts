import { printableLine } from '../printable.js';

const widestCell = 100;

/** The lines of a table; each column is as wide as its widest cell. Cells may have texts of others. */
export function table(head: string[], rows: string[][]): string[] {
  const all = [head, ...rows.map((row) => row.map((cell) => printableLine(cell, widestCell)))];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
