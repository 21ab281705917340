import { useRef, useState } from 'preact/hooks';
import { Button } from './button.js';
import { takesFocus } from './focus.js';

interface ConfirmButtonProps {
  /** What the button does, for example “Revoke”. */
  readonly label: string;
  /** The object of the action, for screen readers; default: the context of the button. */
  readonly what?: string;
  readonly isBusy: boolean;
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
    return <Button class="slim danger" label={label} aria-label={name} ref={ref} act={press} />;
  }
  return (
    <>
      <Button class="slim danger" label="For good" aria-label={`${name} for good`} disabled={isBusy} act={act} />
      <Button class="slim" label="Keep" ref={takesFocus} act={() => setSure(false)} />
    </>
  );
}
