import { createFairQueue } from '@cadastre/service';

/** Shares the processor: long work runs in parts, one in each turn of the event loop. */
export interface LoopTurns {
  /** Waits for a turn of its own among all long work: each network (or other owner) has its turn. */
  next(network: string): Promise<void>;
}

/** Maximum time of a part of long work, in milliseconds: short commands of others wait for it. */
export const turnMs = 2;

/** Makes the turns of a process. */
export function createLoopTurns(): LoopTurns {
  const waiting = createFairQueue<() => void>();
  const give = () => {
    waiting.take()?.();
    if (!waiting.isEmpty()) setImmediate(give);
  };
  return {
    next: (network) =>
      new Promise((resolve) => {
        if (waiting.isEmpty()) setImmediate(give);
        waiting.add(network, resolve);
      }),
  };
}

/**
 * Long work awaits this after each of its steps. It waits for another turn when the present one has lasted long enough,
 * and rejects when the work is aborted.
 */
export type Pause = () => Promise<void>;

/** Makes the pause of one piece of long work for a network. */
export function pausing(turns: LoopTurns, network: string, signal: AbortSignal): Pause {
  let began = performance.now();
  return async () => {
    signal.throwIfAborted();
    if (performance.now() - began <= turnMs) return;
    await turns.next(network);
    signal.throwIfAborted();
    began = performance.now();
  };
}
