import type { LoopTurns } from '@cadastre/service';

/** Maximum time of a part of long work, in milliseconds: short commands of others wait for it. */
export const turnMs = 2;

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
