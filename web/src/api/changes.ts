import type { ObjectName } from '../paths.js';

/** What happened to an object. */
export type Operation = 'created' | 'modified' | 'deleted';

const operations: readonly Operation[] = ['created', 'modified', 'deleted'];

/** Pause before a refused stream is opened again; doubles each time, up to six times. */
const firstPauseMs = 10_000;
const maxPauses = 6;

/**
 * Reports what happens to an object from now on, while the page is visible: a hidden page has no stream, and gets the
 * missed changes when it is visible again. Without EventSource it reports nothing. Returns the function that ends it.
 */
export function followObject(name: ObjectName, report: (operation: Operation) => void): () => void {
  if (!('EventSource' in window)) return () => {};
  let source: EventSource | undefined;
  let pauses = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let serial = '';
  const open = () => {
    const query = new URLSearchParams({ 'type-filter': name.type, key: name.key, ...(serial && { after: serial }) });
    const opened = new EventSource(`/${encodeURIComponent(name.source)}/changes?${query}`);
    source = opened;
    opened.addEventListener('open', () => {
      pauses = 0;
    });
    // Browsers reconnect after a broken connection, but not after a refusal such as 503.
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED || pauses === maxPauses) return;
      // Not all pages at the same time.
      timer = setTimeout(open, firstPauseMs * 2 ** pauses * (1 - Math.random() / 2));
      pauses += 1;
    });
    const note = ({ lastEventId }: MessageEvent) => {
      serial = lastEventId;
    };
    opened.addEventListener('position', note);
    for (const operation of operations) {
      opened.addEventListener(`object.${operation}`, (event) => {
        note(event);
        report(operation);
      });
    }
  };
  const close = () => {
    clearTimeout(timer);
    source?.close();
  };
  const look = () => {
    close();
    pauses = 0;
    if (document.visibilityState === 'visible') open();
  };
  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    close();
  };
}
