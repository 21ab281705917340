import { parseObject, type SetContents, setContents } from '@cadastre/rpsl';
import { createWorkerPool, untilOnTime } from '@cadastre/service';
import type { SetTasks } from './set-worker.js';

/** Reads sets: small ones at once, large ones on a thread of low priority (ADR 0069). */
export interface ReadSetContents {
  /** What a set consists of; undefined for a text that is no object. Throws a ServiceError (unavailable). */
  of(text: string): Promise<SetContents | undefined>;
  /** Terminates the thread. */
  close(): Promise<void>;
}

/** Characters of a set that is read at once: that takes a millisecond. */
const smallCharacters = 16 * 1024;
/** A set of a megabyte takes 0.1 s, and several times that on a busy machine. */
const deadlineMs = 10_000;

/** The thread starts with the first large set. `maxWaiting`: the expansions at a time. */
export function createSetContents(maxWaiting: number): ReadSetContents {
  const script = new URL('./set-worker.js', import.meta.url);
  const pool = createWorkerPool<SetTasks>({ script, threads: 1, maxWaiting, deadlineMs });
  return {
    async of(text) {
      if (text.length > smallCharacters) {
        await untilOnTime();
        return pool.run('contentsOf', text);
      }
      const parsed = parseObject(text);
      return parsed.ok ? setContents(parsed.object) : undefined;
    },
    close: () => pool.close(),
  };
}
