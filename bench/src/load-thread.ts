import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Order, RunResult } from './load-generator.ts';

type Opening = Omit<Extract<Order, { kind: 'open' }>, 'kind'>;

/** The generator of requests, in its own thread. Handles one order at a time. */
export interface LoadThread {
  /** Opens the connections. */
  open(opening: Opening): Promise<void>;
  /** Sends requests for this time, at this rate or as many as the server answers. */
  run(seconds: number, perSecond?: number): Promise<RunResult>;
  close(): Promise<void>;
  /** Ends the thread. */
  stop(): Promise<void>;
}

export function startLoadThread(): LoadThread {
  const worker = new Worker(new URL('load-generator.ts', import.meta.url));
  const order = async (message: Order): Promise<unknown> => {
    worker.postMessage(message);
    const [answer] = (await once(worker, 'message')) as [{ result?: unknown; failure?: string }];
    if (answer.failure !== undefined) throw new Error(answer.failure);
    return answer.result;
  };
  return {
    open: async (opening) => void (await order({ kind: 'open', ...opening })),
    run: async (seconds, perSecond) =>
      (await order({ kind: 'run', seconds, ...(perSecond === undefined ? {} : { perSecond }) })) as RunResult,
    close: async () => void (await order({ kind: 'close' })),
    stop: async () => void (await worker.terminate()),
  };
}
