import { createWorkerPool, untilOnTime } from '@cadastre/service';
import type { StoredText } from '../store/parse-stored.js';
import { type ShownText, showVersion } from './shown-version.js';
import type { VersionTasks } from './version-worker.js';

/** Reads what versions show: small texts at once, large ones on a thread of low priority (ADR 0069). */
export interface VersionReader {
  /** Rejects when the text cannot be read, and with a ServiceError (unavailable) when the thread takes too long. */
  show(stored: StoredText): Promise<ShownText>;
  /** Terminates the thread. */
  close(): Promise<void>;
}

/** Characters that are read at once: that takes about a millisecond. */
const smallCharacters = 32 * 1024;
/** A text of 1 MB takes 50 ms, and several times that on a busy machine. */
const deadlineMs = 10_000;

/** The thread starts with the first large text. `maxWaiting`: the reads that take turns at a time. */
export function createVersionReader(maxWaiting: number): VersionReader {
  const script = new URL('./version-worker.js', import.meta.url);
  const pool = createWorkerPool<VersionTasks>({ script, threads: 1, maxWaiting, deadlineMs });
  return {
    async show({ type, key, text }) {
      const stored = { type, key, text };
      if (text.length <= smallCharacters) return showVersion(stored);
      await untilOnTime();
      return pool.run('showVersion', stored);
    },
    close: () => pool.close(),
  };
}
