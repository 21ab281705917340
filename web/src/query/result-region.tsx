import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Loaded, Show } from '../design/load.js';
import './result.css';

interface ShowResultProps<T> {
  readonly of: Loaded<T>;
  readonly children: (value: T) => ComponentChildren;
}

/** The result of a search, once it is loaded. */
export function ShowResult<T>({ of, children }: ShowResultProps<T>) {
  return (
    <div class="result-place">
      <Show of={of} what="the result">
        {(value) => <ResultRegion>{children(value)}</ResultRegion>}
      </Show>
    </div>
  );
}

/** It takes the focus from the beginning of the page, where the search has left it. */
function ResultRegion({ children }: { readonly children: ComponentChildren }) {
  const region = useRef<HTMLElement>(null);
  useEffect(() => {
    if (document.activeElement?.id === 'main') region.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section ref={region} class="stack result" tabIndex={-1} aria-label="Result">
      {children}
    </section>
  );
}
