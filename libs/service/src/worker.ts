import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import workerpool from 'workerpool';

/** Functions by name, with parameters and results that can be copied between threads. */
// biome-ignore lint/suspicious/noExplicitAny: the parameters of any function.
export type Tasks = Record<string, (...parameters: any[]) => unknown>;

/** The event that a thread sends when it begins a task; the timeout counts from it. */
export const begun = 'begun';

interface ServeOptions {
  /** Lets other threads and processes have the processor first, where the system knows priorities of threads. */
  readonly isLowPriority?: boolean;
}

/** Runs these tasks on this thread for the pool that started it (`createWorkerPool`). */
export function serveTasks(tasks: Tasks, { isLowPriority = false }: ServeOptions = {}): void {
  if (isLowPriority) lowerPriority();
  const announced = Object.entries(tasks).map(([name, task]): [string, Tasks[string]] => {
    const announce: Tasks[string] = (...parameters) => {
      workerpool.workerEmit(begun);
      return task(...parameters);
    };
    return [name, announce];
  });
  workerpool.worker(Object.fromEntries(announced));
}

/** Lowers the priority of this thread only: Linux gives each thread its own (setpriority(2)). */
function lowerPriority(): void {
  try {
    setPriority(
      Number(readlinkSync('/proc/thread-self').replace(/.*\//, '')),
      constants.priority.PRIORITY_BELOW_NORMAL,
    );
  } catch {
    // Elsewhere all threads have the same.
  }
}
