import { createTurns, createWorkerPool, untilOnTime } from '@cadastre/service';
import { differenceText } from './difference-text.js';
import type { DifferenceTasks } from './difference-worker.js';

/** Compares texts: small ones at once, large ones on another thread, one of each client in turn. */
export interface Differences {
  /**
   * The unified difference. Throws a ServiceError `unavailable` after the timeout, and the reason of the signal when it is
   * aborted before the turn of the client.
   */
  of(client: string, before: string, after: string, signal: AbortSignal): Promise<string>;
  /** Terminates the thread. */
  close(): Promise<void>;
}

/** Characters of two texts that are compared at once: that takes at most a few milliseconds. */
const smallCharacters = 32 * 1024;
/** Two texts of 1 MiB take 0.2 s: `diffLines` bounds its search. */
const deadlineMs = 5_000;
const maxMemoryMb = 256;

/** The thread starts with the first large texts. */
export function createDifferences(): Differences {
  const script = new URL('./difference-worker.js', import.meta.url);
  // The turns let one task in at a time.
  const pool = createWorkerPool<DifferenceTasks>({ script, threads: 1, maxWaiting: 1, deadlineMs, maxMemoryMb });
  const turns = createTurns(1);
  return {
    async of(client, before, after, signal) {
      if (before.length + after.length <= smallCharacters) return differenceText(before, after);
      return turns.of(client, signal).read(async () => {
        await untilOnTime(signal);
        return pool.run('differenceText', before, after);
      });
    },
    close: () => pool.close(),
  };
}
