import { formatPrefix } from '@cadastre/rpsl';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Space } from '../api/space.js';
import { paths } from '../paths.js';
import { Link } from '../router.js';
import './block-map.css';
import { type Cell, cellsOf } from './space-cells.js';

/** The parts of a range as cells that lead inside. Tab reaches the map once; the arrow keys move in it. */
export function BlockMap({ space }: { readonly space: Space }) {
  const cells = cellsOf(space);
  const list = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const [pointed, setPointed] = useState<number>();
  const links = () => [...(list.current?.querySelectorAll('a') ?? [])];
  useLayoutEffect(() => {
    links().forEach((link, at) => {
      link.tabIndex = at === current ? 0 : -1;
    });
  });
  const move = (event: KeyboardEvent) => {
    const next = keyTarget(event.key, current, cells.length, columnsOf(list.current!));
    if (next === undefined) return;
    event.preventDefault();
    links()[next]?.focus();
  };
  const cellAt = (target: EventTarget | null) => links().findIndex((link) => link.contains(target as Node));
  return (
    <div>
      <ul
        class="list block-map"
        ref={list}
        aria-label={`Parts of ${formatPrefix(space.range)}`}
        onKeyDown={move}
        onFocusIn={({ target }) => {
          setCurrent(cellAt(target));
          setPointed(cellAt(target));
        }}
        onPointerOver={({ target }) => setPointed(cellAt(target))}
      >
        {cells.map((cell) => (
          <li key={cell.label}>
            <Link to={placeOf(cell, space)} label={cell.label}>
              <CellPicture share={cell.share} />
            </Link>
          </li>
        ))}
      </ul>
      <p class="small soft block-map-label" aria-hidden="true">
        {cells[pointed ?? -1]?.label ?? 'Choose a part to look inside. Arrow keys move.'}
      </p>
    </div>
  );
}

/** The link of a cell. */
function placeOf({ leadsTo, range }: Cell, { type }: Space): string {
  switch (leadsTo.kind) {
    case 'space':
      return paths.resources(formatPrefix(leadsTo.range));
    case 'object':
      return paths.object(leadsTo);
    default:
      return paths.create(type, { values: { [type]: formatPrefix(range) } });
  }
}

function CellPicture({ share }: { readonly share: number }) {
  return (
    <svg viewBox="0 0 10 10" preserveAspectRatio="none" aria-hidden="true">
      {share > 0 && <rect class="used" y={10 - 10 * share} width="10" height={10 * share} />}
    </svg>
  );
}

function columnsOf(list: HTMLElement): number {
  return getComputedStyle(list).gridTemplateColumns.split(' ').length;
}

/** The cell to which a key moves; undefined for other keys. */
function keyTarget(key: string, current: number, count: number, columns: number): number | undefined {
  const targets: Record<string, number> = {
    ArrowLeft: current - 1,
    ArrowRight: current + 1,
    ArrowUp: current - columns,
    ArrowDown: current + columns,
    Home: 0,
    End: count - 1,
  };
  const target = targets[key];
  return target === undefined || target < 0 || target >= count ? undefined : target;
}
