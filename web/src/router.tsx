import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** The current path and query. */
export interface Place {
  /** As in the address bar, percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
}

const moved = 'cadastre:moved';

/** Navigates to a page of this application; `replace` replaces the current history entry. */
export function navigate(to: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  dispatchEvent(new Event(moved));
}

/** The current place; the component renders again when it changes. */
export function usePlace(): Place {
  const [place, setPlace] = useState(placeNow);
  useEffect(() => {
    const look = () => setPlace(placeNow());
    addEventListener('popstate', look);
    addEventListener(moved, look);
    return () => {
      removeEventListener('popstate', look);
      removeEventListener(moved, look);
    };
  }, []);
  return place;
}

function placeNow(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

interface LinkProps {
  readonly to: string;
  readonly class?: string | undefined;
  readonly title?: string;
  /** Its name for screen readers, which contains its text; default: its text. */
  readonly label?: string;
  readonly current?: boolean;
  readonly children: ComponentChildren;
}

/** A link to a page of this application; modified clicks open a new tab as usual. */
export function Link({ to, current = false, label, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(to);
    scrollTo(0, 0);
  };
  return (
    <a href={to} onClick={follow} aria-current={current ? 'page' : undefined} aria-label={label} {...rest}>
      {children}
    </a>
  );
}
