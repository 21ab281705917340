import { useEffect, useRef, useState } from 'preact/hooks';
import type { Message } from '../api/message.js';
import { messagesOf } from '../api/registry.js';

/** An action on request. */
export interface Attempt {
  /** Whether it is running; its button is disabled then. */
  readonly isBusy: boolean;
  /** Why it failed; empty before, during and after success. */
  readonly refused: readonly Message[];
  /** Runs it; `run` throws, or returns messages, when it failed. */
  readonly begin: (run: () => Promise<readonly Message[] | undefined>) => Promise<void>;
}

export function useAttempt(): Attempt {
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<readonly Message[]>([]);
  const requested = useRef<Element | null>(null);
  useEffect(() => {
    // A button loses the focus while it is disabled.
    if (!isBusy && document.activeElement === document.body) (requested.current as HTMLElement | null)?.focus();
  }, [isBusy]);
  const begin: Attempt['begin'] = async (run) => {
    requested.current = document.activeElement;
    setBusy(true);
    setRefused([]);
    setRefused(await run().then((messages) => messages ?? [], messagesOf));
    setBusy(false);
  };
  return { isBusy, refused, begin };
}
