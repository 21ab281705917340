import { setTimeout as delay } from 'node:timers/promises';

/** Bounds of the pause, in milliseconds. */
export interface BackOff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Runs `work` again and again until the signal. After a failure it waits, twice as long each time; `work` calls
 * `succeeded` when it got somewhere, and the pauses begin anew. `onFailure` is told how often it failed since then.
 */
export async function keepTrying(
  work: (succeeded: () => void) => Promise<void>,
  onFailure: (error: unknown, pauseMs: number, failures: number) => void,
  { firstMs, longestMs }: BackOff,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await work(() => {
        failures = 0;
      });
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      const pauseMs = Math.min(firstMs * 2 ** failures, longestMs) * (0.75 + Math.random() / 2);
      failures++;
      onFailure(error, pauseMs, failures);
      await delay(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
}
