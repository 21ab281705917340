import { setImmediate } from 'node:timers/promises';
import { createTurns, untilOnTime } from './turns.js';
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

/** Waits until work on this number of characters may begin; undefined if it may begin immediately. */
export type Slice = (characters: number) => Promise<void> | undefined;

/**
 * Cuts work on texts into slices of 32 KiB of text or one larger text. Each slice begins in another turn of the event
 * loop, so that other work runs between them. Work that waits for the same slice runs in the same turn.
 */
export function createSlices(turn: () => Promise<unknown> = setImmediate): Slice {
  let slice: Promise<unknown> | undefined;
  let left = smallCharacters;
  return (characters) => {
    if (characters > left && left < smallCharacters) {
      slice = slice === undefined ? turn() : slice.then(turn);
      left = smallCharacters;
    }
    left -= characters;
    return slice as Promise<void> | undefined;
  };
}
