import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 50;

/** Retries until `attempt` does not throw; throws its last error when the time is up. For asynchronous effects. */
export async function eventually<T>(attempt: () => T | Promise<T>, timeoutMs = 90_000): Promise<T> {
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
