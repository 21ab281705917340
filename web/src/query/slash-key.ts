import { useEffect } from 'preact/hooks';
import { searchBoxId } from './search-box.js';

/** The key "/" focuses the search box. */
export function useSlashKey(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
      event.preventDefault();
      const box = document.getElementById(searchBoxId);
      if (box instanceof HTMLInputElement) {
        box.focus();
        box.select();
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

const typed = 'input:not([type="checkbox"], [type="radio"]), textarea, select';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(typed));
}
