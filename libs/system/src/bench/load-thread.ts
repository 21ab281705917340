import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Order, RunResult, Target } from './load-generator.js';

/** The generator of requests, in its own thread. Handles one order at a time. */
export interface LoadThread {
  /** Opens the connections; the first path is number `from`. */
  open(target: Target, paths: readonly string[], from: number): Promise<void>;
  /** Sends requests over all connections for this time, on each the next one when the last one is answered. */
  run(seconds: number): Promise<RunResult>;
  close(): Promise<void>;
  /** Ends the thread. */
  stop(): Promise<void>;
}

export function startLoadThread(): LoadThread {
  const worker = new Worker(new URL('load-generator.js', import.meta.url));
  const order = async (message: Order): Promise<unknown> => {
    worker.postMessage(message);
    const [answer] = (await once(worker, 'message')) as [{ result?: unknown; failure?: string }];
    if (answer.failure !== undefined) {
      throw new Error(answer.failure);
    }
    return answer.result;
  };
  return {
    open: async (target, paths, from) => void (await order({ kind: 'open', target, paths, from })),
    run: async (seconds) => (await order({ kind: 'run', seconds })) as RunResult,
    close: async () => void (await order({ kind: 'close' })),
    stop: async () => void (await worker.terminate()),
  };
}
