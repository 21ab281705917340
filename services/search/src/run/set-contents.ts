import type { SetContents } from '@cadastre/rpsl';
import { createTextTasks } from '@cadastre/service';
import { parseSet } from './parse-set.js';

/** Reads sets, large ones on a thread (`createTextTasks`). */
export interface ReadSetContents {
  /** What a set consists of; undefined for a text that is no object. Throws a ServiceError (unavailable). */
  of(text: string): Promise<SetContents | undefined>;
  /** Terminates the thread. */
  close(): Promise<void>;
}

/** A set of a megabyte takes 0.1 s, and several times that on a busy machine. */
const deadlineMs = 10_000;

export function createSetContents(): ReadSetContents {
  const tasks = new URL('./parse-set.js', import.meta.url);
  const texts = createTextTasks({ parseSet }, { tasks, deadlineMs });
  return {
    of: (text) => texts.run('parseSet', text.length, [text]),
    close: () => texts.close(),
  };
}
