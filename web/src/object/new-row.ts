import { useEffect, useRef } from 'preact/hooks';

/**
 * The body of a table to which rows are added, and a function that moves the focus to the first new row once it exists.
 */
export function useFocusOnNewRow(rows: number, isComplete: boolean) {
  const body = useRef<HTMLTableSectionElement>(null);
  const target = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (target.current === undefined || !isComplete) return;
    const row = body.current?.rows[Math.min(target.current, rows - 1)];
    row?.querySelector<HTMLElement>('a, input')?.focus({ preventScroll: true });
    target.current = undefined;
  }, [rows, isComplete]);
  const focusNewRow = () => {
    target.current = rows;
  };
  return [body, focusNewRow] as const;
}
