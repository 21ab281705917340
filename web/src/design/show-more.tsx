import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.js';
import { numberText } from './format.js';

/** The items of a list that are shown, and a button for more of them, which moves the focus to the first new one. */
export function useShowMore<T>(items: readonly T[], step: number, what: string) {
  const [shown, setShown] = useState(step);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (shown > step) list.current?.children[shown - step]?.querySelector('a')?.focus();
  }, [shown]);
  const more = shown < items.length && (
    <p>
      <Button label={`Show more of ${numberText(items.length)} ${what}`} act={() => setShown(shown + step)} />
    </p>
  );
  return { visible: items.slice(0, shown), list, more };
}
