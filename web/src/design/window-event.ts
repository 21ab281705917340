import { useEffect, useRef } from 'preact/hooks';

/** Listens to an event of the window while the component is shown; the listener of the newest rendering gets it. */
export function useWindowEvent<E extends Event>(type: string, listener: (event: E) => unknown): void {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    const listen = (event: Event) => void latest.current(event as E);
    addEventListener(type, listen);
    return () => removeEventListener(type, listen);
  }, []);
}
