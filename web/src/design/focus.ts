import { useEffect, useRef } from 'preact/hooks';

/** Moves the focus to the beginning of the page, after the button that had it was removed. */
export function focusPage(): void {
  document.getElementById('main')?.focus({ preventScroll: true });
}

/** Moves it there when the page shows something else; not while an element with this id has it. */
export function useFocusOnChange(shown: string, exceptId?: string): void {
  const before = useRef(shown);
  useEffect(() => {
    if (before.current !== shown && (!exceptId || document.activeElement?.id !== exceptId)) focusPage();
    before.current = shown;
  }, [shown]);
}

/** Moves the focus to the heading of the section around an element that will be removed. */
export function focusHeadingOf(element: Element): void {
  const heading = element.closest('section, main')?.querySelector<HTMLElement>('h1, h2, h3');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** The `ref` of an element that takes the focus when it appears. */
export function takesFocus(element: HTMLElement | null): void {
  element?.focus();
}
