import { createTextTasks, createTurns } from '@cadastre/service';
import { differenceText } from './difference-text.js';

/** Returns the unified difference of two texts. Throws a ServiceError `unavailable` after the timeout. */
export type Compare = (before: string, after: string) => Promise<string>;

/** Compares texts, large ones on a thread (`createTextTasks`). */
export type Differences = ReturnType<typeof createDifferences>;

/** Two texts of 1 MiB take 0.2 s: `diffLines` bounds its search. On a busy machine the thread comes after others. */
const deadlineMs = 30_000;

/** Clients that compare concurrently: half of them large texts at most. */
const atOnce = 4;

export function createDifferences() {
  const tasks = new URL('./difference-text.js', import.meta.url);
  const texts = createTextTasks({ differenceText }, { tasks, deadlineMs });
  const turns = createTurns(atOnce);
  const compare: Compare = (before, after) =>
    texts.run('differenceText', before.length + after.length, [before, after]);
  return {
    /**
     * Runs the work, which loads texts and compares them, when it is the turn of the client: those that wait have no texts
     * in memory. Rejects with the reason of the signal when it is aborted before.
     */
    inTurn: <T>(client: string, signal: AbortSignal, work: (compare: Compare) => Promise<T>): Promise<T> =>
      turns.of(client, signal).read(() => work(compare)),
    /** Terminates the thread. */
    close: (): Promise<void> => texts.close(),
  };
}
