import { useEffect, useState } from 'preact/hooks';
import { Button } from './button.js';

interface CopyButtonProps {
  readonly text: () => string | Promise<string>;
  readonly label: string;
  readonly class?: string;
}

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({ text, label, class: look = 'slim' }: CopyButtonProps) {
  const [outcome, setOutcome] = useState('');
  useEffect(() => {
    if (outcome === '') return;
    const timer = setTimeout(() => setOutcome(''), 2500);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await text());
      setOutcome('Copied');
    } catch {
      setOutcome('Not copied');
    }
  };
  return (
    <>
      <Button class={look} label={outcome || label} act={copy} />
      <span class="visually-hidden" role="status">
        {outcome}
      </span>
    </>
  );
}
