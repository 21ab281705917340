import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useWindowEvent } from '../design/window-event.js';

/**
 * Saves by Ctrl+S (⌘S), and by Enter in a one-line field inside `fields`. While the registry still checks the typed
 * text, saves afterwards.
 */
export function useSaveKeys(fields: RefObject<HTMLElement | null>, isChecking: boolean, save: () => unknown): void {
  const [isPressed, setPressed] = useState(false);
  useWindowEvent<KeyboardEvent>('keydown', (event) => {
    if (!isSaveKey(event, fields.current)) return;
    event.preventDefault();
    setPressed(true);
  });
  // Another change: the user continues.
  useWindowEvent('input', () => setPressed(false));
  useEffect(() => {
    if (!isPressed || isChecking) return;
    setPressed(false);
    save();
  }, [isPressed, isChecking]);
}

function isSaveKey(event: KeyboardEvent, fields: HTMLElement | null): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
  if (altKey || shiftKey || event.isComposing || event.defaultPrevented) return false;
  if (ctrlKey || metaKey) return key === 's';
  return key === 'Enter' && target instanceof HTMLInputElement && fields?.contains(target) === true;
}
