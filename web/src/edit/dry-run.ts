import type { SubmittedAttribute } from '@cadastre/client';
import { useEffect, useState } from 'preact/hooks';
import type { WriteAnswer } from '../api/objects.js';
import { type Destination, isRetryable, pauseBeforeRetry, write } from './write.js';

/** The result of a dry run so far. */
export type Trial<A = WriteAnswer> =
  | { readonly state: 'idle'; readonly last?: undefined }
  | { readonly state: 'checking'; readonly last?: A | undefined }
  | { readonly state: 'checked'; readonly last: A }
  /** `retry` retries immediately, if it retries by itself. */
  | { readonly state: 'failed'; readonly last?: undefined; readonly error: unknown; readonly retry?: () => void };

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
    const controller = new AbortController();
    const { signal } = controller;
    let failures = 0;
    let timer: ReturnType<typeof setTimeout>;
    const attempt = async () => {
      removeEventListener('online', retry);
      try {
        const last = await perform(signal);
        if (!signal.aborted) setTrial({ state: 'checked', last });
      } catch (error) {
        if (signal.aborted) return;
        const again = isRetryable(error);
        setTrial({ state: 'failed', error, ...(again ? { retry } : {}) });
        if (!again) return;
        failures++;
        timer = setTimeout(attempt, pauseBeforeRetry(failures, error));
        addEventListener('online', retry, { signal });
      }
    };
    const retry = () => {
      clearTimeout(timer);
      void attempt();
    };
    setTrial(({ last }) => ({ state: 'checking', last }));
    timer = setTimeout(attempt, pauseMs);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [question]);
  return trial;
}
