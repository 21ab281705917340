import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import './result.css';

/** The result of a search. It takes the focus from the beginning of the page, where the search has left it. */
export function ResultRegion({ children }: { readonly children: ComponentChildren }) {
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
