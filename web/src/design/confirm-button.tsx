import { useRef, useState } from 'preact/hooks';
import { takesFocus } from './focus.js';

interface ConfirmButtonProps {
  /** What the button does, for example “Revoke”. */
  readonly label: string;
  /** The object of the action, for screen readers; default: the context of the button. */
  readonly what?: string;
  readonly isBusy: boolean;
  /** Called when the user is sure. */
  readonly act: () => void;
}

/** A button for an action that cannot be undone: it requires confirmation. */
export function ConfirmButton({ label, what = '', isBusy, act }: ConfirmButtonProps) {
  const [isSure, setSure] = useState(false);
  const wasPressed = useRef(false);
  const name = `${label} ${what}`.trim();
  const press = () => {
    wasPressed.current = true;
    setSure(true);
  };
  if (!isSure) {
    const ref = wasPressed.current ? takesFocus : null;
    return (
      <button type="button" class="slim danger" aria-label={name} ref={ref} onClick={press}>
        {label}
      </button>
    );
  }
  return (
    <>
      <button type="button" class="slim danger" aria-label={`${name} for good`} disabled={isBusy} onClick={act}>
        For good
      </button>
      <button type="button" class="slim" ref={takesFocus} onClick={() => setSure(false)}>
        Keep
      </button>
    </>
  );
}
