import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 50;

/** Tries until it no longer throws; the last failure when the time is over. For what happens in its own time. */
export async function eventually<T>(attempt: () => T | Promise<T>, timeoutMs = 20_000): Promise<T> {
  const giveUp = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > giveUp) throw error;
    }
    await sleep(pollMs);
  }
}
