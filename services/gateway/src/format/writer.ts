import type { Message } from '@cadastre/proto/registry';
import type { Head, ObjectEntry, Tail } from './resource.js';

/** The formats of answers. */
export type Format = 'xml' | 'json' | 'text';

/**
 * Writes one document piece by piece, so that long results can be streamed: `open` once, `object` any number of
 * times, `messages` at most once, `close` once. What it returns, joined, is the document.
 */
export interface Writer {
  open(head: Head): string;
  object(entry: ObjectEntry): string;
  messages(list: readonly Message[]): string;
  close(tail: Tail): string;
}
