import { useEffect, useRef, useState } from 'preact/hooks';
import type { Message } from '../api/message.js';
import { type Attempt, useAttempt } from '../design/attempt.js';
import { Alert } from '../design/messages.js';
import { type Answer, writeOnce } from './write.js';

/** Saves the object of a form, once, even when responses are lost. */
export interface Saving extends Attempt {
  /** Names the creation of the object. A form uses the same key, also for other contents, until it has created one. */
  readonly key: string;
  readonly setKey: (key: string) => void;
  /** Whether a response was lost and the write is being retried. */
  readonly isRepeating: boolean;
  /** Runs a write with the key, or with the tag of the stored state, and retries it when its response is lost. */
  readonly once: <A extends Answer>(perform: (signal: AbortSignal) => Promise<A>) => Promise<A>;
}

export function useSaving(): Saving {
  const attempt = useAttempt();
  const [key, setKey] = useState(newKey);
  const [isRepeating, setRepeating] = useState(false);
  const left = useRef(new AbortController());
  useEffect(() => () => left.current.abort(), []);
  const once: Saving['once'] = async (perform) => {
    const answer = await writeOnce(
      () => perform(left.current.signal),
      () => setRepeating(true),
    ).finally(() => setRepeating(false));
    if (answer.status !== 422) return answer;
    setKey(newKey());
    return { ...answer, messages: [createdBefore] };
  };
  return { ...attempt, key, setKey, isRepeating, once };
}

/** The key belongs to other contents: an earlier attempt succeeded, but its response was lost. */
const createdBefore: Message = {
  severity: 'Error',
  text: 'The registry has created an object from this form before, with other contents; its answer was lost. Look for that object first: when you save again, you create another one.',
};

/** A key for another creation. Writes need HTTPS; without it, browsers make no keys. */
export function newKey(): string {
  return isSecureContext ? crypto.randomUUID() : '';
}

/** Why saving failed, or that it continues without a response. */
export function SavingState({ saving }: { readonly saving: Saving }) {
  return (
    <>
      <Alert messages={saving.refused} />
      <p class="soft" role="status">
        {saving.isRepeating && 'No response from the registry yet. The page retries; the object is saved only once.'}
      </p>
    </>
  );
}
