// A thread of `createWorkerPool`: runs the functions of a module.
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import workerpool from 'workerpool';
import { begun, type Tasks, type WorkerData } from './worker-data.js';

const { tasks, isLowPriority }: WorkerData = workerData;
if (isLowPriority) lowerPriority();
const announced = Object.entries<Tasks[string]>(await import(tasks)).map(([name, task]): [string, Tasks[string]] => {
  const announce: Tasks[string] = (...parameters) => {
    workerpool.workerEmit(begun);
    return task(...parameters);
  };
  return [name, announce];
});
workerpool.worker(Object.fromEntries(announced));

/** Lowers the priority of this thread only: Linux gives each thread its own (setpriority(2)). */
function lowerPriority(): void {
  try {
    setPriority(
      Number(readlinkSync('/proc/thread-self').replace(/.*\//, '')),
      constants.priority.PRIORITY_BELOW_NORMAL,
    );
  } catch {
    // Other systems have one priority for all threads.
  }
}
