import { createTurns } from './turns.js';
import { untilOnTime } from './until-on-time.js';
import type { Tasks } from './worker-data.js';
import { createWorkerPool, type WorkerPoolOptions } from './worker-pool.js';

/** Work on texts: on small ones immediately, on large ones in a thread of low priority (ADR 0075). */
export interface TextTasks<T extends Tasks> {
  /**
   * Runs a task on a text of this number of characters. A large one begins when the process is on time; of tasks with
   * an `asker` one runs at a time, in turn by client. Rejects when the signal of `gone` aborts before that, and with a
   * ServiceError (unavailable) after the timeout.
   */
  run<N extends string & keyof T>(
    name: N,
    characters: number,
    parameters: Parameters<T[N]>,
    asker?: Asker,
  ): Promise<Awaited<ReturnType<T[N]>>>;
  /** Terminates the thread. */
  close(): Promise<void>;
}

/** The client for which a task runs. */
export interface Asker {
  readonly client: string;
  /** A signal that is aborted when the client leaves. */
  gone(): AbortSignal;
}

/** Maximum characters of a small text: parsing or rendering it takes a few milliseconds at most. */
export const smallCharacters = 32 * 1024;

type TextTasksOptions = Pick<WorkerPoolOptions, 'tasks' | 'deadlineMs' | 'maxMemoryMb'>;

/** Makes tasks of functions that the module in the options exports. The thread starts with the first large text. */
export function createTextTasks<T extends Tasks>(functions: T, options: TextTasksOptions): TextTasks<T> {
  const maxWaiting = Number.POSITIVE_INFINITY;
  const pool = createWorkerPool<T>({ ...options, threads: 1, maxWaiting, isLowPriority: true });
  const turns = createTurns(1);
  return {
    async run(name, characters, parameters, asker) {
      if (characters <= smallCharacters) return functions[name]!(...parameters) as never;
      const signal = asker?.gone();
      const onThread = async () => {
        await untilOnTime(signal);
        return (await pool.run(name, ...parameters)) as never;
      };
      return asker ? turns.of(asker.client, signal!).read(onThread) : onThread();
    },
    close: () => pool.close(),
  };
}
