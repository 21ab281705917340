/** A scrolled list of rows of one height, all in pixels. */
export interface Scrolled {
  readonly rowHeight: number;
  /** Height of the rows above its window. */
  readonly top: number;
  /** Of its window. */
  readonly height: number;
}

/** Rows beyond each edge of the window, for quick scrolling. */
const extra = 8;

/** The rows to render: from the first one up to, and without, the end. */
export function drawnRows(count: number, { rowHeight, top, height }: Scrolled): { first: number; end: number } {
  const first = Math.max(0, Math.min(Math.floor(top / rowHeight), count - 1) - extra);
  return { first, end: Math.min(count, Math.ceil((top + height) / rowHeight) + extra) };
}

/** Where to scroll so that a row is in the window; `top` when it is already there. */
export function topFor(row: number, { rowHeight, top, height }: Scrolled): number {
  const above = row * rowHeight;
  return Math.max(Math.min(top, above), above + rowHeight - height);
}

/** A row, for the keyboard. */
export interface TreeRow {
  readonly depth: number;
  /** Whether the rows inside it are shown; undefined for a row that cannot be opened. */
  readonly isOpen?: boolean | undefined;
}

/** The effect of a key in a tree (WAI-ARIA tree view): goes to a row, or opens or closes the current one. */
export type KeyEffect = { readonly goTo: number } | 'toggle' | undefined;

/** The effect of a key at a row; `page` is the number of rows in the window. */
export function effectOf(key: string, rows: readonly TreeRow[], at: number, page: number): KeyEffect {
  const row = rows[at];
  if (row === undefined) return undefined;
  const to = (target: number) => ({ goTo: Math.max(0, Math.min(rows.length - 1, target)) });
  switch (key) {
    case 'ArrowDown':
      return to(at + 1);
    case 'ArrowUp':
      return to(at - 1);
    case 'PageDown':
      return to(at + page);
    case 'PageUp':
      return to(at - page);
    case 'Home':
      return to(0);
    case 'End':
      return to(rows.length - 1);
    case 'ArrowRight':
      if (row.isOpen === false) return 'toggle';
      return (rows[at + 1]?.depth ?? 0) > row.depth ? to(at + 1) : undefined;
    case 'ArrowLeft':
      if (row.isOpen) return 'toggle';
      return row.depth === 0
        ? undefined
        : to(rows.findLastIndex(({ depth }, index) => index < at && depth < row.depth));
    default:
      return undefined;
  }
}
