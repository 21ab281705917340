import { useState } from 'preact/hooks';
import type { Message } from '../api/message.js';
import { messagesOf } from '../api/registry.js';
import { Messages } from './messages.js';

/** Something that is done on request. */
export interface Attempt {
  /** Whether it is going on: it is not begun twice. */
  readonly isBusy: boolean;
  /** Why it was not done; empty before, meanwhile, and when it was. */
  readonly refused: readonly Message[];
  /** Does it; `run` throws, or gives messages, when it was not done. */
  readonly begin: (run: () => Promise<readonly Message[] | undefined>) => Promise<void>;
}

export function useAttempt(): Attempt {
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<readonly Message[]>([]);
  const begin: Attempt['begin'] = async (run) => {
    setBusy(true);
    setRefused([]);
    setRefused(await run().then((messages) => messages ?? [], messagesOf));
    setBusy(false);
  };
  return { isBusy, refused, begin };
}

/** Why an attempt failed, said to screen readers at once. */
export function Refused({ attempt }: { readonly attempt: Attempt }) {
  return (
    <div role="alert">
      <Messages messages={attempt.refused} />
    </div>
  );
}
