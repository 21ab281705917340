import { createTextTasks } from '@cadastre/service';
import { differenceText } from './difference-text.js';

/** Compares texts, large ones on a thread (`createTextTasks`), one of each client in turn. */
export interface Differences {
  /**
   * The unified difference. Throws a ServiceError `unavailable` after the timeout, and the reason of the signal when it is
   * aborted before the turn of the client.
   */
  of(client: string, before: string, after: string, signal: AbortSignal): Promise<string>;
  /** Terminates the thread. */
  close(): Promise<void>;
}

/** Two texts of 1 MiB take 0.2 s: `diffLines` bounds its search. On a busy machine the thread comes after others. */
const deadlineMs = 30_000;
const maxMemoryMb = 256;

export function createDifferences(): Differences {
  const tasks = new URL('./difference-text.js', import.meta.url);
  const texts = createTextTasks({ differenceText }, { tasks, deadlineMs, maxMemoryMb });
  return {
    of: (client, before, after, signal) =>
      texts.run('differenceText', before.length + after.length, [before, after], { client, gone: () => signal }),
    close: () => texts.close(),
  };
}
