import { useEffect, useState } from 'preact/hooks';

/**
 * What the registry finds for a typed text, as soon as the text has not changed for some time; the last value
 * meanwhile, and `none` for an empty text or after a failure.
 */
export function useTyped<T>(text: string, none: T, pauseMs: number, find: (signal: AbortSignal) => Promise<T>): T {
  const [found, setFound] = useState(none);
  useEffect(() => {
    if (text === '') return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      find(controller.signal)
        .catch(() => none)
        .then((value) => controller.signal.aborted || setFound(value));
    }, pauseMs);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [text]);
  return text === '' ? none : found;
}
