import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface FoldProps {
  /** The name of the folded part. */
  readonly what: string;
  readonly children: ComponentChildren;
}

/** A part of a page that is hidden at first: a button shows it, and so does the browser's search in the page. */
export function Fold({ what, children }: FoldProps) {
  const [isOpen, setOpen] = useState(false);
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const found = () => setOpen(true);
    part.current?.addEventListener('beforematch', found);
    return () => part.current?.removeEventListener('beforematch', found);
  }, []);
  const show = () => {
    setOpen(true);
    part.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <div ref={part} hidden={isOpen ? undefined : 'until-found'} tabIndex={-1}>
        {children}
      </div>
      {!isOpen && (
        <p class="row fold">
          <button type="button" class="slim" onClick={show}>
            Show all
          </button>
          <span class="small soft">{what}</span>
        </p>
      )}
    </>
  );
}
