import type { SubmittedAttribute } from '@cadastre/client';
import { useEffect, useState } from 'preact/hooks';
import type { WriteAnswer } from '../api/objects.js';
import { mayPass, pauseBeforeRetry } from './retry.js';
import { type Destination, write } from './write.js';

/** The result of a dry run so far. */
export type Trial =
  | { readonly state: 'idle' }
  | { readonly state: 'checking'; readonly last?: WriteAnswer }
  | { readonly state: 'checked'; readonly last: WriteAnswer }
  /** `retry` repeats it at once, where it repeats by itself. */
  | { readonly state: 'failed'; readonly error: unknown; readonly retry?: () => void };

const pauseMs = 500;

/**
 * Performs a dry run whenever the object, its stored state (`tag`) or who asks (`account`) has not changed for half a
 * second. Without attributes there is no dry run. After a failure that may pass it asks again, with growing pauses, and
 * as soon as the network is back.
 */
export function useDryRun(
  to: Destination,
  attributes: readonly SubmittedAttribute[],
  tag: string,
  account: string,
): Trial {
  const [trial, setTrial] = useState<Trial>({ state: 'idle' });
  const question = JSON.stringify([account, tag, attributes]);
  useEffect(() => {
    if (attributes.length === 0) return setTrial({ state: 'idle' });
    const unwanted = new AbortController();
    const { signal } = unwanted;
    let failures = 0;
    let timer: ReturnType<typeof setTimeout>;
    const ask = async () => {
      removeEventListener('online', retry);
      try {
        const last = await write(to, attributes, { dryRun: true, tag, signal });
        if (!signal.aborted) setTrial({ state: 'checked', last });
      } catch (error) {
        if (signal.aborted) return;
        const again = mayPass(error);
        setTrial({ state: 'failed', error, ...(again ? { retry } : {}) });
        if (!again) return;
        failures++;
        timer = setTimeout(ask, pauseBeforeRetry(failures, error));
        addEventListener('online', retry, { signal });
      }
    };
    const retry = () => {
      clearTimeout(timer);
      void ask();
    };
    setTrial((before) => ({ state: 'checking', ...('last' in before && before.last ? { last: before.last } : {}) }));
    timer = setTimeout(ask, pauseMs);
    return () => {
      unwanted.abort();
      clearTimeout(timer);
    };
  }, [question]);
  return trial;
}
