import { pathToFileURL } from 'node:url';
import workerpool from 'workerpool';
import { ServiceError } from './errors.js';
import { moduleToRun } from './run-sources.js';
import { begun, type Tasks, type WorkerData } from './worker-data.js';

/** The tasks, and the bounds of the threads. */
export interface WorkerPoolOptions {
  /** The compiled module whose functions are the tasks; when the process runs from TypeScript, threads load its source. */
  readonly tasks: URL;
  /** Maximum number of threads; a thread starts when a task first needs it. */
  readonly threads: number;
  /** Maximum number of tasks in the queue; the pool refuses further ones. */
  readonly maxWaiting: number;
  /** Timeout of one task in milliseconds, from the moment when its thread begins it. */
  readonly deadlineMs: number;
  /** A thread that needs more memory than this for its objects is terminated, and its task fails. Default 128. */
  readonly maxMemoryMb?: number;
  /** Other threads and processes get the processor first, if the system supports priorities of threads. */
  readonly isLowPriority?: boolean;
}

/** Runs costly work on other threads, so that the event loop of the service stays free. */
export interface WorkerPool<T extends Tasks> {
  /**
   * Runs one task. Throws a ServiceError `unavailable` when the queue is full, and after the timeout: then the pool has
   * terminated the thread, and starts another for the next task. Copies parameters and result.
   */
  run<N extends string & keyof T>(name: N, ...parameters: Parameters<T[N]>): Promise<Awaited<ReturnType<T[N]>>>;
  /** Whether a thread has started. */
  hasThreads(): boolean;
  /** Terminates the threads. */
  close(): Promise<void>;
}

/** Maximum time for a thread to clean up before the pool terminates it. */
const terminateMs = 100;

const usualMemoryMb = 128;

/** Makes a pool; threads start with the first tasks. */
export function createWorkerPool<T extends Tasks>(o: WorkerPoolOptions): WorkerPool<T> {
  const { file, nodeArguments } = moduleToRun(new URL('./worker.js', import.meta.url));
  const tasks = pathToFileURL(moduleToRun(o.tasks).file).href;
  const workerData: WorkerData = { tasks, isLowPriority: o.isLowPriority ?? false };
  const resourceLimits = { maxOldGenerationSizeMb: o.maxMemoryMb ?? usualMemoryMb };
  const pool = workerpool.pool(file, {
    workerType: 'thread',
    maxWorkers: o.threads,
    workerTerminateTimeout: terminateMs,
    workerThreadOpts: { workerData, resourceLimits, ...(nodeArguments.length > 0 && { execArgv: [...nodeArguments] }) },
  });
  return {
    async run(name, ...parameters) {
      if (pool.stats().pendingTasks >= o.maxWaiting) {
        throw new ServiceError('unavailable', 'The service is overloaded; please try again');
      }
      try {
        const task = pool.exec(name, parameters, { on: (news) => void (news === begun && task.timeout(o.deadlineMs)) });
        return await task;
      } catch (error) {
        if (!(error instanceof workerpool.Promise.TimeoutError)) throw error;
        throw new ServiceError('unavailable', 'The work timed out; please try again', { cause: error });
      }
    },
    hasThreads: () => pool.stats().totalWorkers > 0,
    async close() {
      await pool.terminate(true);
    },
  };
}
