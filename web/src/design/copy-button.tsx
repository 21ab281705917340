import { useEffect, useState } from 'preact/hooks';

interface CopyButtonProps {
  /** Fetches the text to copy. */
  readonly text: () => string | Promise<string>;
  readonly label: string;
  readonly class?: string;
}

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({ text, label, class: look = 'slim' }: CopyButtonProps) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return;
    const timer = setTimeout(() => setSaid(''), 2500);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await text());
      setSaid('Copied');
    } catch {
      setSaid('Not copied');
    }
  };
  return (
    <button type="button" class={look} onClick={copy}>
      {said || label}
      <span class="visually-hidden" role="status">
        {said}
      </span>
    </button>
  );
}
