import { setTimeout as delay } from 'node:timers/promises';

/** Duration of a timer, and the maximum delay of a timer when the process is on time. Milliseconds. */
const timerMs = 10;
const onTimeMs = 8;
/** After this many late timers the work begins anyway. */
const maxTimers = 160;

/**
 * Waits until this process is on time, at most about three seconds, and returns whether it was late. Await this before
 * costly work: a late process has cheap requests waiting, for the processor or for its event loop. Rejects when the
 * signal aborts.
 */
export async function untilOnTime(signal?: AbortSignal): Promise<boolean> {
  for (let n = 0; n < maxTimers; n++) {
    const began = performance.now();
    await delay(timerMs, undefined, { ...(signal && { signal }) });
    if (performance.now() - began <= timerMs + onTimeMs) return n > 0;
  }
  return true;
}
