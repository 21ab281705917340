import type { ObjectName } from '../paths.js';
/** What happened to an object. */
export type Operation = 'created' | 'modified' | 'deleted';
/**
 * Tells what happens to an object from now on, while the page is visible: a hidden page has no stream, and learns what
 * it missed when it is visible again. Without EventSource it tells nothing. Returns the function that ends it.
 */
export declare function followObject(name: ObjectName, tell: (operation: Operation) => void): () => void;
