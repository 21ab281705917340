import type { ObjectName } from '../paths.js';

type Operation = 'created' | 'modified' | 'deleted';

/** `unknown`: the stream misses changes, of which some may be of the object. */
export type Happened = Operation | 'unknown';

const operations: readonly Operation[] = ['created', 'modified', 'deleted'];

/** Pause before a refused stream is opened again; doubles each time, up to six times. */
const firstPauseMs = 10_000;
const maxPauses = 6;

/**
 * Refusals after which a stream is opened without its position: the registry may have forgotten it (410), for example
 * because it was restored, and EventSource does not show the status.
 */
const maxRefusals = 2;

/**
 * Reports what happens to an object from now on, while the page is visible: a hidden page has no stream, and gets the
 * missed changes when it is visible again. Without EventSource it reports nothing. Returns the function that ends it.
 */
export function followObject(name: ObjectName, report: (what: Happened) => void): () => void {
  if (!('EventSource' in window)) return () => {};
  let source: EventSource | undefined;
  let pauses = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let serial = '';
  /** Whether the next stream does not continue the last one. */
  let hasGap = false;
  const open = () => {
    const query = new URLSearchParams({ 'type-filter': name.type, key: name.key, ...(serial && { after: serial }) });
    const opened = new EventSource(`/${encodeURIComponent(name.source)}/changes?${query}`);
    source = opened;
    opened.addEventListener('open', () => {
      pauses = 0;
      if (hasGap) report('unknown');
      hasGap = false;
    });
    // Browsers reconnect after a broken connection, but not after a refusal such as 503.
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED || pauses === maxPauses) return;
      // Not all pages at the same time.
      timer = setTimeout(open, firstPauseMs * 2 ** pauses * (1 - Math.random() / 2));
      pauses += 1;
      if (pauses < maxRefusals || serial === '') return;
      serial = '';
      hasGap = true;
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
