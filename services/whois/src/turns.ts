/** Shares the processor: long work runs in parts, one in each turn of the event loop. */
export interface LoopTurns {
  /** Waits for a turn of its own among all long work; those that wait get one in their order. */
  next(): Promise<void>;
}

/** Maximum time of a part of long work, in milliseconds: short commands of others wait for it. */
export const turnMs = 2;

/** Makes the turns of a process. */
export function createLoopTurns(): LoopTurns {
  const waiting: (() => void)[] = [];
  const give = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(give);
  };
  return {
    next: () =>
      new Promise((resolve) => {
        if (waiting.push(resolve) === 1) setImmediate(give);
      }),
  };
}

/**
 * Long work awaits this after each of its steps. It waits for another turn when the present one has lasted long enough,
 * and rejects when the work is aborted.
 */
export type Pause = () => Promise<void>;

/** Makes the pause of one piece of long work. */
export function pausing(turns: LoopTurns, signal: AbortSignal): Pause {
  let began = performance.now();
  return async () => {
    signal.throwIfAborted();
    if (performance.now() - began <= turnMs) return;
    await turns.next();
    signal.throwIfAborted();
    began = performance.now();
  };
}
