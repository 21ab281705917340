/** Moves the focus to the beginning of the page, after the button that had it is gone. */
export function focusPage(): void {
  document.getElementById('main')?.focus({ preventScroll: true });
}
