import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import './popover.css';

interface PopoverProps {
  readonly class: string;
  /** What opens it, and its name for screen readers; default: its text. */
  readonly opener: ComponentChildren;
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** Contents above the page, until Escape, or until a click or the focus is elsewhere. */
export function Popover({ class: look, opener, label, children }: PopoverProps) {
  const box = useRef<HTMLDetailsElement>(null);
  const leave = ({ relatedTarget }: FocusEvent) => {
    if (!box.current!.contains(relatedTarget as Node | null)) box.current!.open = false;
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !box.current!.open) return;
    box.current!.querySelector('summary')!.focus();
    box.current!.open = false;
  };
  return (
    <details class={`popover ${look}`} ref={box} onFocusOut={leave} onKeyDown={press}>
      <summary aria-label={label}>{opener}</summary>
      {/* A click into it leaves the focus inside. */}
      <div class="card" tabIndex={-1}>
        {children}
      </div>
    </details>
  );
}
