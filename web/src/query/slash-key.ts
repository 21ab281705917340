import { useEffect } from 'preact/hooks';
import { paths } from '../paths.js';
import { navigate } from '../router.js';
import { searchBoxId } from './search-box.js';

/** The key "/" focuses the search box; on a page without one it opens the page that has it. */
export function useSlashKey(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
      event.preventDefault();
      const box = document.getElementById(searchBoxId);
      if (box instanceof HTMLInputElement) {
        box.focus();
        box.select();
      } else navigate(paths.home);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

const typed = 'input:not([type="checkbox"], [type="radio"]), textarea, select';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(typed));
}
