/** The data of this application in an entry of the history. */
interface EntryState {
  /** How far its page was scrolled, in CSS pixels. */
  readonly scrolled: number;
  /** What led to the page; only until the page has shown it. */
  readonly outcome?: Outcome;
}

/** What the page before did with the object of this page. */
export type Outcome = 'created' | 'saved';

/** The state of an entry whose page begins with an outcome. */
export function entryAfter(outcome: Outcome | undefined): EntryState | null {
  return outcome === undefined ? null : { scrolled: 0, outcome };
}

/** What led to this page. */
export function outcomeNow(): Outcome | undefined {
  return (history.state as EntryState | null)?.outcome;
}

/** Drops it: after a reload, the page does not say it again. */
export function dropOutcome(): void {
  history.replaceState({ scrolled: scrollY } satisfies EntryState, '');
}

/** After these events the user decides where the page is. */
const inputs = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;
const maxRestoreMs = 10_000;

/** Stores in the current entry of the history how far its page is scrolled. */
export function noteScroll(): void {
  history.replaceState({ ...(history.state as EntryState | null), scrolled: scrollY } satisfies EntryState, '');
}

/**
 * Stores how far each page in the history is scrolled, also over reloads. A browser by itself restores that before the
 * content of the page is loaded, and so too high.
 */
export function keepScrollOfEntries() {
  const all = new AbortController();
  let restoring = new AbortController();
  restoring.abort();
  const note = () => restoring.signal.aborted && noteScroll();
  history.scrollRestoration = 'manual';
  addEventListener('scrollend', note, all);
  addEventListener('pagehide', note, all);

  /** Scrolls to where the current entry was left, as soon as its page is long enough. */
  const restore = () => {
    restoring.abort();
    restoring = new AbortController();
    const { signal } = restoring;
    const end = () => restoring.abort();
    const target = (history.state as EntryState | null)?.scrolled ?? 0;
    const look = new ResizeObserver(() => {
      scrollTo(0, target);
      if (document.documentElement.scrollHeight - innerHeight >= target) end();
    });
    look.observe(document.body);
    for (const input of inputs) addEventListener(input, end, { signal, passive: true });
    const timer = setTimeout(end, maxRestoreMs);
    signal.addEventListener('abort', () => {
      look.disconnect();
      clearTimeout(timer);
    });
  };
  // A reload; otherwise the fragment of the address decides.
  if (history.state !== null) restore();
  const stop = () => {
    all.abort();
    restoring.abort();
  };
  return { restore, stop };
}
