import type { ComponentChildren } from 'preact';
import { CopyButton } from '../design/copy-button.js';
import { focusHeadingOf, takesFocus } from '../design/focus.js';

interface ShownOnceProps {
  readonly heading: string;
  readonly copyLabel: string;
  readonly secret: string;
  /** Called when the user has it. */
  readonly put: () => void;
  readonly children?: ComponentChildren;
}

/** A secret that the registry does not show again. */
export function ShownOnce({ heading, copyLabel, secret, put, children }: ShownOnceProps) {
  const putAway = (event: Event) => {
    focusHeadingOf(event.currentTarget as Element);
    put();
  };
  return (
    <div class="credential stack" role="status">
      <h3 tabIndex={-1} ref={takesFocus}>
        {heading}
      </h3>
      <p class="row">
        <code class="secret">{secret}</code>
        <CopyButton label={copyLabel} text={() => secret} />
        <button type="button" class="slim" onClick={putAway}>
          I have it
        </button>
      </p>
      {children}
    </div>
  );
}
