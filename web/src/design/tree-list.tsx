import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.js';
import './tree-list.css';
import { drawnRows, effectOf, type Scrolled, type TreeRow, topFor } from './tree-window.js';

export interface ShownRow extends TreeRow {
  /** Identifies the row in its tree. */
  readonly id: string;
  /** Its place among the rows of its level, from 1, and their number; -1 while it is unknown. */
  readonly place: number;
  readonly siblings: number;
}

interface TreeListProps<R extends ShownRow> {
  readonly label: string;
  readonly rows: readonly R[];
  /** Shows or hides the rows inside a row. */
  readonly toggle: (row: R) => void;
  /** The action of Enter. */
  readonly follow: (row: R) => void;
  readonly children: (row: R) => ComponentChildren;
}

/** A tree of any number of rows in a window that scrolls: renders only the rows in the window. */
export function TreeList<R extends ShownRow>({ label, rows, toggle, follow, children }: TreeListProps<R>) {
  const list = useRef<HTMLUListElement>(null);
  const [scrolled, measure] = useScrolled(list, rows.length);
  const [current, setCurrent] = useState('');
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === current),
  );
  const press = (event: KeyboardEvent) => {
    const row = rows[at];
    // A button in a row has its own keys.
    if (event.target instanceof HTMLButtonElement) return;
    if (event.altKey || event.ctrlKey || event.metaKey || row === undefined) return;
    const effect = effectOf(event.key, rows, at, Math.floor(scrolled.height / scrolled.rowHeight));
    if (event.key === 'Enter') follow(row);
    else if (effect === 'toggle') toggle(row);
    else if (effect) {
      setCurrent(rows[effect.goTo]!.id);
      list.current!.scrollTop = topFor(effect.goTo, scrolled);
    } else return;
    event.preventDefault();
  };
  const { first, end } = drawnRows(rows.length, scrolled);
  const idOf = (row: R) => `${label} ${row.id}`.replaceAll(/\s/g, '_');
  const isDrawn = at >= first && at < end;
  return (
    <ul
      ref={list}
      class="list tree-list"
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a tree view of WAI-ARIA
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={isDrawn && rows[at] ? idOf(rows[at]) : undefined}
      onKeyDown={press}
      onScroll={measure}
      style={{ '--before': first, '--after': rows.length - end }}
    >
      {rows.slice(first, end).map((row) => (
        <TreeItem
          key={row.id}
          id={idOf(row)}
          row={row}
          isCurrent={row === rows[at]}
          choose={() => setCurrent(row.id)}
          toggle={() => toggle(row)}
        >
          {children(row)}
        </TreeItem>
      ))}
    </ul>
  );
}

/** How far the window of a list is scrolled, and the function that measures it. */
function useScrolled(
  list: RefObject<HTMLUListElement | null>,
  rows: number,
): [scrolled: Scrolled, measure: () => void] {
  const [scrolled, setScrolled] = useState<Scrolled>({ rowHeight: 44, top: 0, height: 600 });
  const measure = () => {
    const { scrollTop, clientHeight } = list.current!;
    setScrolled({ rowHeight: rowHeightOf(list.current!), top: scrollTop, height: clientHeight });
  };
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure);
    observer.observe(list.current!);
    return () => observer.disconnect();
  }, []);
  // Fewer rows may have scrolled the list.
  useEffect(measure, [rows]);
  return [scrolled, measure];
}

interface TreeItemProps {
  readonly id: string;
  readonly row: ShownRow;
  readonly isCurrent: boolean;
  readonly choose: () => void;
  readonly toggle: () => void;
  readonly children: ComponentChildren;
}

function TreeItem({ id, row, isCurrent, choose, toggle, children }: TreeItemProps) {
  return (
    // The tree has the focus and the keys, because a row goes when it is out of the window.
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <li
      id={id}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-posinset={row.place}
      aria-setsize={row.siblings}
      aria-expanded={row.isOpen}
      aria-selected={isCurrent}
      style={{ '--depth': row.depth }}
      onClick={choose}
    >
      {row.isOpen === undefined ? (
        <span class="tree-toggle" />
      ) : (
        <Button class="tree-toggle" label={row.isOpen ? '−' : '+'} tabIndex={-1} aria-hidden="true" act={toggle} />
      )}
      {row.depth > deepest && <span class="chip plain">level {row.depth + 1}</span>}
      {children}
    </li>
  );
}

/** Deeper rows are not indented more, but show their level. */
const deepest = 6;

/** In pixels; the style sheet has it in rem. */
function rowHeightOf(list: HTMLElement): number {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Number.parseFloat(getComputedStyle(list).getPropertyValue('--row')) * rem;
}
