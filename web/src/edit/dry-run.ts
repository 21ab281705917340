import type { SubmittedAttribute } from '@cadastre/client';
import { useEffect, useState } from 'preact/hooks';
import type { WriteAnswer } from '../api/objects.js';
import { mayPass, pauseBeforeRetry } from './retry.js';
import { type Destination, write } from './write.js';

/** The result of a dry run so far. */
export type Trial<A = WriteAnswer> =
  | { readonly state: 'idle' }
  | { readonly state: 'checking'; readonly last?: A }
  | { readonly state: 'checked'; readonly last: A }
  /** `retry` retries immediately, if it retries by itself. */
  | { readonly state: 'failed'; readonly error: unknown; readonly retry?: () => void };

const pauseMs = 500;

/**
 * Performs dry runs of an object, with its stored state (`tag`) and its user (`account`). Performs none without
 * attributes.
 */
export function useDryRun(
  to: Destination,
  attributes: readonly SubmittedAttribute[],
  tag: string,
  account: string,
): Trial {
  const question = attributes.length === 0 ? '' : JSON.stringify([account, tag, attributes]);
  return useTrial(question, (signal) => write(to, attributes, { dryRun: true, tag, signal }));
}

/**
 * Performs a dry run whenever the question has not changed for half a second; none for an empty question. After a
 * temporary failure it retries, with growing pauses, and as soon as the network is back.
 */
export function useTrial<A>(question: string, perform: (signal: AbortSignal) => Promise<A>): Trial<A> {
  const [trial, setTrial] = useState<Trial<A>>({ state: 'idle' });
  useEffect(() => {
    if (question === '') return setTrial({ state: 'idle' });
    const unwanted = new AbortController();
    const { signal } = unwanted;
    let failures = 0;
    let timer: ReturnType<typeof setTimeout>;
    const ask = async () => {
      removeEventListener('online', retry);
      try {
        const last = await perform(signal);
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
