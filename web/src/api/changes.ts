import type { ObjectName } from '../paths.js';

/** What happened to an object. */
export type Operation = 'created' | 'modified' | 'deleted';

const operations: readonly Operation[] = ['created', 'modified', 'deleted'];

/**
 * Tells what happens to an object from now on, while the page is visible: a hidden page has no stream, and learns what
 * it missed when it is visible again. Without EventSource, and when the registry refuses the stream, it tells nothing.
 * Returns the function that ends it.
 */
export function followObject(name: ObjectName, tell: (operation: Operation) => void): () => void {
  if (!('EventSource' in window)) return () => {};
  let source: EventSource | undefined;
  let serial = '';
  const open = () => {
    const query = new URLSearchParams({ 'type-filter': name.type, key: name.key, ...(serial && { after: serial }) });
    source = new EventSource(`/${encodeURIComponent(name.source)}/changes?${query}`);
    const note = ({ lastEventId }: MessageEvent) => {
      serial = lastEventId;
    };
    source.addEventListener('position', note);
    for (const operation of operations) {
      source.addEventListener(`object.${operation}`, (event) => {
        note(event);
        tell(operation);
      });
    }
  };
  const look = () => {
    source?.close();
    source = undefined;
    if (document.visibilityState === 'visible') open();
  };
  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    source?.close();
  };
}
