import workerpool from 'workerpool';

/** Functions by name, with parameters and results that can be copied between threads. */
// biome-ignore lint/suspicious/noExplicitAny: the parameters of any function.
export type Tasks = Record<string, (...parameters: any[]) => unknown>;

/** The event that a thread sends when it begins a task; the timeout counts from it. */
export const begun = 'begun';

/** Runs these tasks on this thread for the pool that started it (`createWorkerPool`). */
export function serveTasks(tasks: Tasks): void {
  const announced = Object.entries(tasks).map(([name, task]): [string, Tasks[string]] => {
    const announce: Tasks[string] = (...parameters) => {
      workerpool.workerEmit(begun);
      return task(...parameters);
    };
    return [name, announce];
  });
  workerpool.worker(Object.fromEntries(announced));
}
