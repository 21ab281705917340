import { createFairQueue } from './fair-queue.js';

/** Shares the processor: long work runs in parts, few in each turn of the event loop. */
export interface LoopTurns {
  /** Waits for a turn among all long work: each owner, such as a network, has its turn, however much work it has. */
  next(owner: string): Promise<void>;
}

/** Makes the turns of a process. In a turn of the event loop one part runs; with `everyOwner`, one of each owner. */
export function createLoopTurns({ everyOwner = false } = {}): LoopTurns {
  const waiting = createFairQueue<() => void>();
  const give = () => {
    for (let parts = everyOwner ? waiting.owners() : 1; parts > 0; parts--) waiting.take()?.();
    if (!waiting.isEmpty()) setImmediate(give);
  };
  return {
    next: (owner) =>
      new Promise((resolve) => {
        if (waiting.isEmpty()) setImmediate(give);
        waiting.add(owner, resolve);
      }),
  };
}
