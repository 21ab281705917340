import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useWindowEvent } from './design/window-event.js';
import { dropOutcome, entryAfter, keepScrollOfEntries, noteScroll, type Outcome, outcomeNow } from './scroll.js';

/** The current path and query. */
export interface Place {
  /** As in the address bar, percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
}

const moved = 'cadastre:moved';
/** Cancelled by a page with unsaved work whose user wants to stay. */
const leaving = 'cadastre:leaving';

interface Navigation {
  /** Replaces the current history entry. */
  readonly replace?: boolean;
  /** What the next page says that has happened to its object. */
  readonly outcome?: Outcome;
  /** Loads the whole application again. */
  readonly reload?: boolean;
}

/** Navigates to a page of this application. Returns false when the user stays, because of unsaved work. */
export function navigate(to: string, { replace = false, outcome, reload = false }: Navigation = {}): boolean {
  if (!mayLeave()) return false;
  noteScroll();
  history[replace ? 'replaceState' : 'pushState'](entryAfter(outcome), '', to);
  if (reload) location.reload();
  else dispatchEvent(new Event(moved));
  return true;
}

/** Navigates to the beginning of a page. */
export function goTo(to: string, options?: Navigation): void {
  if (navigate(to, options)) scrollTo(0, 0);
}

/** What the page before did with the object of this page; undefined also after a reload. */
export function useOutcome(): Outcome | undefined {
  const [outcome] = useState(outcomeNow);
  useEffect(dropOutcome, []);
  return outcome;
}

function mayLeave(): boolean {
  return dispatchEvent(new Event(leaving, { cancelable: true }));
}

/** The current place; the component renders again when it changes. */
export function usePlace(): Place {
  const [place, setPlace] = useState(placeNow);
  useEffect(() => {
    let url = urlNow();
    const scroll = keepScrollOfEntries();
    const look = () => {
      url = urlNow();
      setPlace(placeNow());
    };
    const travel = () => {
      if (url === urlNow()) return;
      // The browser has moved already, by an unknown number of entries: the page becomes the newest entry again.
      if (!mayLeave()) return history.pushState(null, '', url);
      look();
      scroll.restore();
    };
    addEventListener('popstate', travel);
    addEventListener(moved, look);
    return () => {
      scroll.stop();
      removeEventListener('popstate', travel);
      removeEventListener(moved, look);
    };
  }, []);
  return place;
}

/** Asks before the user leaves the page, by a link, Back, reload or closing, while it has unsaved work. */
export function useLeaveQuestion(hasUnsavedWork: () => boolean): void {
  useWindowEvent(leaving, (event) => {
    if (hasUnsavedWork() && !confirm('You have changes that are not saved. Leave this page?')) event.preventDefault();
  });
  // The browser asks with its own text.
  useWindowEvent('beforeunload', (event) => hasUnsavedWork() && event.preventDefault());
}

function urlNow(): string {
  return `${location.pathname}${location.search}`;
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
  /** -1 for a link in a list that has keys of its own. */
  readonly tabIndex?: number;
  readonly text?: ComponentChildren;
  /** Its contents, if they are more than a text. */
  readonly children?: ComponentChildren;
}

/** A link to a page of this application; modified clicks open a new tab as usual. */
export function Link({ to, current = false, label, text, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    goTo(to);
  };
  return (
    <a href={to} onClick={follow} aria-current={current ? 'page' : undefined} aria-label={label} {...rest}>
      {text ?? children}
    </a>
  );
}
