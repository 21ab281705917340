// A task of text-tasks.test.ts.
import { threadId } from 'node:worker_threads';

/** The thread that has the text. */
export function threadOf(_text: string): number {
  return threadId;
}

export function failWith(text: string): never {
  throw new Error(text.slice(0, 10));
}
